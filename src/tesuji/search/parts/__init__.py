"""The methods of the search, a file each, with their kernels and a declaration (`Part`) at the end.

`tesuji.search.catalogue` lists them.
"""
