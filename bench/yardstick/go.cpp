// The native yardstick for Go playouts: the algorithm of src/tesuji/games/go written in C++.
//
// Same tables, same fields, same order of operations and same random numbers, so that the same seed
// gives the same moves and the same scores.  bench/go_playouts.py compiles it and compares speeds.
//
//   go SIZE FIRST SECOND     a board of SIZE x SIZE, the generator started with two 64-bit words
//
// Then each line of the input is a number of playouts to run, and each answer is one line:
// CPU seconds, moves in all, Black's points in all, digest of all moves.  A negative number runs
// as many playouts and also computes the digest, which would disturb a measurement.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#define HOT [[gnu::always_inline]]  // left to itself, g++ keeps calls and loses a tenth of the speed

using Index = uint32_t;

enum Colour : Index { EMPTY, BLACK, WHITE, WALL };

constexpr Index PASS = 0;
constexpr Index EMPTY_SHIFT = 8;
constexpr Index NEAR[4] = {1 << EMPTY_SHIFT, 0x01, 0x10, 0x11};
constexpr Index ALL_FOUR = 4;
constexpr Index UNSEEN = 0, SEEN = 1;

struct Random {  // xoroshiro128++
    uint64_t a, b;

    uint64_t next() {
        uint64_t total = a + b;
        uint64_t result = ((total << 17) | (total >> 47)) + a;
        b ^= a;
        a = ((a << 49) | (a >> 15)) ^ b ^ (b << 21);
        b = (b << 28) | (b >> 36);
        return result;
    }

    uint32_t below(uint32_t n) { return ((next() >> 32) * n) >> 32; }
};

// One wall column serves both sides; a step down is a huge unsigned number that wraps around.
template <int SIZE>
struct State {
    static constexpr size_t STRIDE = SIZE + 1, AREA = SIZE * SIZE, CELLS = STRIDE * (SIZE + 2) + 1;
    static constexpr size_t BESIDE[4] = {-STRIDE, -size_t(1), 1, STRIDE};
    static constexpr size_t ACROSS[4] = {-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1};

    Index board[CELLS], near[CELLS], head[CELLS], next[CELLS];
    Index liberties[CELLS], stones[CELLS];
    Index empty[AREA], slot[CELLS], empties;
    Index ko, mover, passes, count[3], suicide;
    double komi;

    void clear(double with_komi) {
        memset(this, 0, sizeof *this);
        for (Index& cell : board) cell = WALL;
        for (size_t point = 0; point < AREA; point++) {
            size_t v = (point / SIZE + 1) * STRIDE + point % SIZE + 1;
            board[v] = EMPTY;
            slot[v] = empties;
            empty[empties++] = v;
        }
        for (size_t i = 0; i < AREA; i++)
            for (int k = 0; k < 4; k++) near[empty[i]] += NEAR[board[empty[i] + BESIDE[k]]];
        mover = BLACK;
        komi = with_komi;
    }

    bool over() const { return passes >= 2; }

    HOT Index around(size_t v, Index colour) const { return (near[v] >> (4 * (colour - 1))) & 15; }

    HOT bool is_eye(size_t v, Index colour) const {
        if (around(v, colour) != ALL_FOUR) return false;
        Index other = 3 - colour, theirs = 0, edge = 0;
        for (int k = 0; k < 4; k++) {
            Index diagonal = board[v + ACROSS[k]];
            theirs += diagonal == other;
            edge |= diagonal == WALL;
        }
        return theirs + edge < 2;
    }

    HOT bool legal(size_t v) {
        if (v == ko) return false;
        if (near[v] >> EMPTY_SHIFT) return true;
        return has_effect(v);
    }

    HOT bool has_effect(size_t v) {
        for (int k = 0; k < 4; k++) liberties[head[v + BESIDE[k]]]--;
        bool found = false;
        for (int k = 0; k < 4; k++) {
            size_t n = v + BESIDE[k];
            Index colour = board[n];
            if (colour != WALL) {
                bool dies = liberties[head[n]] == 0;
                found |= dies != (colour == mover);
            }
        }
        for (int k = 0; k < 4; k++) liberties[head[v + BESIDE[k]]]++;
        return found || (suicide && around(v, 3 - mover) != ALL_FOUR);
    }

    HOT void put(size_t v, Index colour) {
        Index last = empty[--empties];
        empty[slot[v]] = last;
        slot[last] = slot[v];
        board[v] = colour;
        count[colour]++;
        head[v] = next[v] = v;
        stones[v] = 1;
        liberties[v] = near[v] >> EMPTY_SHIFT;
        Index change = NEAR[colour] - NEAR[EMPTY];
        for (int k = 0; k < 4; k++) {
            size_t n = v + BESIDE[k];
            near[n] += change;
            liberties[head[n]]--;
        }
    }

    HOT void join(Index one, Index other) {
        if (stones[one] < stones[other]) {
            Index swap = one;
            one = other;
            other = swap;
        }
        size_t stone = other;
        do {
            head[stone] = one;
            stone = next[stone];
        } while (stone != other);
        Index after = next[one];
        next[one] = next[other];
        next[other] = after;
        liberties[one] += liberties[other];
        stones[one] += stones[other];
    }

    HOT void remove(Index chain, Index colour) {
        Index change = NEAR[EMPTY] - NEAR[colour];
        size_t stone = chain;
        do {
            empty[empties] = stone;
            slot[stone] = empties++;
            board[stone] = EMPTY;
            count[colour]--;
            for (int k = 0; k < 4; k++) {
                size_t n = stone + BESIDE[k];
                near[n] += change;
                liberties[head[n]]++;
            }
            head[stone] = 0;
            stone = next[stone];
        } while (stone != chain);
    }

    HOT void play(Index move) {
        Index me = mover;
        mover = 3 - me;
        ko = 0;
        if (move == PASS) {
            passes++;
        } else {
            passes = 0;
            place(move, me);
        }
    }

    HOT void place(size_t v, Index me) {
        Index other = 3 - me;
        bool in_their_eye = around(v, other) == ALL_FOUR;
        put(v, me);
        Index captured = 0;
        for (int k = 0; k < 4; k++) {
            size_t n = v + BESIDE[k];
            Index colour = board[n], chain = head[n];
            if (colour == me) {
                if (chain != head[v]) join(chain, head[v]);
            } else if (colour == other && liberties[chain] == 0) {
                captured += stones[chain];
                remove(chain, other);
            }
        }
        if (in_their_eye && captured == 1) ko = empty[empties - 1];
        if (liberties[head[v]] == 0) remove(head[v], me);
    }

    HOT Index random_move(Random& random) {
        if (empties == 0) return PASS;
        Index i = random.below(empties);
        for (Index tried = 0; tried < empties; tried++) {
            size_t v = empty[i];
            if (!is_eye(v, mover) && legal(v)) return v;
            if (++i == empties) i = 0;
        }
        return PASS;
    }

    HOT double score() {
        int64_t lead = int64_t(count[BLACK]) - int64_t(count[WHITE]);
        int64_t single_points = 0;
        for (Index i = 0; i < empties; i++) {
            size_t v = empty[i];
            if (near[v] >> EMPTY_SHIFT) return lead + territory() - komi;
            single_points += around(v, BLACK) == ALL_FOUR;
            single_points -= around(v, WHITE) == ALL_FOUR;
        }
        return lead + single_points - komi;
    }

    int64_t territory() {
        for (Index i = 0; i < empties; i++) stones[empty[i]] = UNSEEN;
        int64_t lead = 0;
        for (Index i = 0; i < empties; i++)
            if (stones[empty[i]] == UNSEEN) lead += region(empty[i]);
        return lead;
    }

    int64_t region(Index first) {
        stones[first] = SEEN;
        next[first] = 0;
        Index waiting = first, touched = 0;
        int64_t points = 0;
        while (waiting != 0) {
            size_t v = waiting;
            waiting = next[v];
            points++;
            for (int k = 0; k < 4; k++) {
                size_t n = v + BESIDE[k];
                Index colour = board[n];
                if (colour == BLACK || colour == WHITE) {
                    touched |= colour;
                } else if (colour == EMPTY && stones[n] == UNSEEN) {
                    stones[n] = SEEN;
                    next[n] = waiting;
                    waiting = n;
                }
            }
        }
        return touched == BLACK ? points : touched == WHITE ? -points : 0;
    }
};

template <int SIZE>
struct Bench {
    static constexpr int CAP = 3 * SIZE * SIZE;

    State<SIZE> start, state;
    int32_t trace[CAP];
    Random random;
    int64_t moves = 0;
    double points = 0;
    uint64_t digest = 0;

    int playout() {
        int length = 0;
        while (length < CAP && !state.over()) {
            Index move = state.random_move(random);
            trace[length++] = move;
            state.play(move);
        }
        return length;
    }

    void run(long playouts, bool with_digest) {
        for (long i = 0; i < playouts; i++) {
            state = start;
            int length = playout();
            moves += length;
            points += state.score();
            if (with_digest)
                for (int k = 0; k < length; k++) digest = digest * 31 + trace[k];
        }
    }
};

double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

template <int SIZE>
int serve(uint64_t first, uint64_t second) {
    static Bench<SIZE> bench;
    bench.start.clear(7.5);
    bench.random = {first, second};
    long wanted;
    while (scanf("%ld", &wanted) == 1) {
        double before = cpu_seconds();
        bench.run(labs(wanted), wanted < 0);
        double spent = cpu_seconds() - before;
        printf("%.9f %lld %.1f %llu\n", spent, (long long)bench.moves, bench.points,
               (unsigned long long)bench.digest);
        fflush(stdout);
    }
    return 0;
}

int main(int count, char** arguments) {
    if (count == 4) {
        uint64_t first = strtoull(arguments[2], nullptr, 10);
        uint64_t second = strtoull(arguments[3], nullptr, 10);
        switch (atoi(arguments[1])) {
            case 9: return serve<9>(first, second);
            case 13: return serve<13>(first, second);
            case 19: return serve<19>(first, second);
        }
    }
    fprintf(stderr, "usage: go 9|13|19 FIRST SECOND\n");
    return 2;
}
