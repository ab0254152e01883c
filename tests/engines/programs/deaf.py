"""Never reads what it is sent, but knows what it will be asked first."""

import time

if __name__ == "__main__":
    print("= 2\n\n= Deaf\n\n= 1\n\n= name\n\n", end="", flush=True)
    time.sleep(1000)
