/* Exact odds and simulated rounds of baccarat: whole numbers only, no Python, no state of its own.
 *
 * The file is compiled once for each width (plain, avx2, avx512) and linked into one library; every function
 * carries its width in its name. All widths give the same answers: a width only decides how many shoes, or how
 * many compositions, are worked on at a time.
 *
 * Words. Ranks are numbered 10, J, Q, K, A, 2 ... 9, so that the point value is max(0, number - 3).
 * A final is (Player total, Banker total, Player's third card 0|1, Banker's third card 0|1), 400 in all.
 * A class is a final with a pair state: none, Player's, Banker's, both, twin; 2000 in all.
 *
 * rules, 144 bytes: 10 x Player natural, 10 x Banker natural, 10 x Player draws, 10 x 11 x Banker draws (the
 * Player stood, then third card 0 ... 9), pair by point value 0|1, three bytes unused.
 */
#include <stdint.h>
#include <string.h>

#if defined(__AVX512BW__) && defined(__AVX512F__)
#include <immintrin.h>
#define NAME(what) thirdcard_##what##_avx512
#define LANES 32
#define SHOES_AT_ONCE 16
#elif defined(__AVX2__)
#include <immintrin.h>
#define NAME(what) thirdcard_##what##_avx2
#define LANES 16
#define SHOES_AT_ONCE 8
#else
#define NAME(what) thirdcard_##what##_plain
#define LANES 8
#define SHOES_AT_ONCE 1
#define PLAIN
#endif

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define INLINE static inline __attribute__((always_inline))

#define VALUES 10
#define RANKS 13
#define FINALS 400
#define PAIR_STATES 5
#define CLASSES 2000

#define PLAYER_NATURAL(rules, total) ((rules)[total])
#define BANKER_NATURAL(rules, total) ((rules)[10 + (total)])
#define PLAYER_DRAWS(rules, total) ((rules)[20 + (total)])
#define BANKER_DRAWS(rules, total, third) ((rules)[30 + 11 * (total) + 1 + (third)]) /* third -1: stood */
#define BY_POINT_VALUE(rules) ((rules)[140])
#define NATURAL(rules, p, b) (PLAYER_NATURAL(rules, p) || BANKER_NATURAL(rules, b))

static inline int final_of(int p, int b, int p_third, int b_third) {
    p = p < 10 ? p : p - 10;
    b = b < 10 ? b : b - 10;
    return (p * 10 + b) * 4 + p_third * 2 + b_third;
}

/* ---------------------------------------------------------------- exact odds
 *
 * The six cards are exchangeable, so the third cards are taken out first and the two hands are counted in what
 * is left, by point value. Two ordered cards with total j: Q_j = sum over a of n_a (n_{j-a} - [2a = j]). Two
 * hands with totals i and j: W_ij = Q_i (Q_j + 2 [i = j]) - 4 sum over a of n_a x_ia x_ja, where
 * x_ia = n_{i-a} - [2a = i]: all pairs of hands, less those that share a card. Pairs are taken out before the
 * third cards, and a hand that is free is counted with Q.
 *
 * Counts of cards are at most 160 for a point value, so that the inner sums fit 32 bits; everything else is
 * 64 bits wide, which holds every ordered draw of six cards from up to 1290.
 */
#if SHOES_AT_ONCE == 1
#define PARTS 1
typedef int32_t narrow;
typedef int64_t part;
INLINE part widen(narrow x, int which) { return (void)which, x; }
INLINE part product(part a, part b) { return a * b; }
INLINE part scale(part a, part b) { return a * b; }
#else
#define PARTS 2
typedef int32_t narrow __attribute__((vector_size(4 * SHOES_AT_ONCE)));
typedef int64_t part __attribute__((vector_size(4 * SHOES_AT_ONCE)));
#if SHOES_AT_ONCE == 16
INLINE part widen(narrow x, int which) {
    __m256i half = which ? _mm512_extracti64x4_epi64((__m512i)x, 1) : _mm512_castsi512_si256((__m512i)x);
    return (part)_mm512_cvtepi32_epi64(half);
}
INLINE part product(part a, part b) { return (part)_mm512_mul_epu32((__m512i)a, (__m512i)b); }
#else
INLINE part widen(narrow x, int which) {
    __m128i half = which ? _mm256_extracti128_si256((__m256i)x, 1) : _mm256_castsi256_si128((__m256i)x);
    return (part)_mm256_cvtepi32_epi64(half);
}
INLINE part product(part a, part b) { return (part)_mm256_mul_epu32((__m256i)a, (__m256i)b); }
#endif
/* The second factor fits 32 bits, and so does every factor of a product. */
INLINE part scale(part a, part b) { return product(a, b) + (product(a >> 32, b) << 32); }
#endif

typedef struct {
    part of[PARTS];
} wide;

typedef struct {
    narrow n[2 * VALUES]; /* cards left by point value, twice over: n[j - a + 10] completes a to j */
    narrow q[VALUES]; /* ordered hands of two cards by total */
    narrow all;
} stock;

/* The cards that complete one of value a to a hand with total j, the card itself not among them. */
INLINE narrow others(const stock *s, int j, int a) {
    narrow n = s->n[j - a + 10];
    return j == 2 * a || j + 10 == 2 * a ? n - 1 : n;
}

INLINE void count_hands(stock *s) {
    for (int j = 0; j < VALUES; j++) {
        narrow sum = s->n[0] - s->n[0];
        for (int a = 0; a < VALUES; a++)
            sum += s->n[a] * others(s, j, a);
        s->q[j] = sum;
    }
}

/* The stock without one card of a value: Q_j loses the hands that held it. */
INLINE void take(stock *to, const stock *from, int v) {
    *to = *from;
    to->n[v] -= 1;
    to->n[v + 10] -= 1;
    to->all -= 1;
    for (int j = 0; j < VALUES; j++)
        to->q[j] -= 2 * to->n[j - v + 10];
}

/* For one total i of the Player's hand: n_a x_ia by a. */
INLINE void prepare(narrow *with, const stock *s, int i) {
    for (int a = 0; a < VALUES; a++)
        with[a] = s->n[a] * others(s, i, a);
}

/* W_ij, with what was prepared for i. */
INLINE wide two_hands(const narrow *with, const stock *s, int i, int j) {
    wide w;
    narrow shared = with[0] * s->n[j + 10];
    for (int a = 1; a < VALUES; a++)
        shared += with[a] * s->n[j - a + 10];
    if (j % 2 == 0)
        shared -= with[j / 2] + with[j / 2 + 5];
    narrow q = i == j ? s->q[j] + 2 : s->q[j];
    shared *= 4;
    for (int which = 0; which < PARTS; which++)
        w.of[which] = product(widen(s->q[i], which), widen(q, which)) - widen(shared, which);
    return w;
}

INLINE narrow two_cards(const stock *s, int v, int w) {
    return s->n[v] * (v == w ? s->n[w] - 1 : s->n[w]);
}

INLINE void add(wide *to, wide count, narrow weight) {
    for (int which = 0; which < PARTS; which++)
        to->of[which] += scale(count.of[which], widen(weight, which));
}

/* All endings by final. */
static void count_finals(const uint8_t *rules, const stock *s, wide *finals) {
    stock one, two;
    wide known[VALUES][VALUES];
    uint8_t have[VALUES][VALUES];
    narrow with[VALUES], after5 = s->all - 5, after4 = (s->all - 4) * after5;
    for (int i = 0; i < 10; i++) {
        prepare(with, s, i);
        for (int j = 0; j < 10; j++)
            if (NATURAL(rules, i, j) || (!PLAYER_DRAWS(rules, i) && !BANKER_DRAWS(rules, j, -1)))
                add(&finals[final_of(i, j, 0, 0)], two_hands(with, s, i, j), after4);
    }
    for (int v = 0; v < VALUES; v++) {
        take(&one, s, v);
        narrow weight = s->n[v] * after5;
        for (int i = 0; i < 10; i++) {
            prepare(with, &one, i);
            for (int j = 0; j < 10; j++) {
                if (NATURAL(rules, i, j))
                    continue;
                if (!PLAYER_DRAWS(rules, i)) {
                    if (BANKER_DRAWS(rules, j, -1))
                        add(&finals[final_of(i, j + v, 0, 1)], two_hands(with, &one, i, j), weight);
                } else if (!BANKER_DRAWS(rules, j, v))
                    add(&finals[final_of(i + v, j, 1, 0)], two_hands(with, &one, i, j), weight);
            }
        }
        for (int w = v; w < VALUES; w++) {
            take(&two, &one, w);
            narrow both = two_cards(s, v, w);
            memset(have, 0, sizeof have);
            for (int i = 0; i < 10; i++) {
                if (!PLAYER_DRAWS(rules, i))
                    continue;
                prepare(with, &two, i);
                for (int j = 0; j < 10; j++) {
                    int after_v = BANKER_DRAWS(rules, j, v), after_w = BANKER_DRAWS(rules, j, w);
                    if (NATURAL(rules, i, j) || !(after_v || after_w))
                        continue;
                    wide count;
                    if (have[j][i]) {
                        count = known[j][i]; /* the hands are alike: W_ij = W_ji */
                    } else {
                        count = known[i][j] = two_hands(with, &two, i, j);
                        have[i][j] = 1;
                    }
                    if (after_v)
                        add(&finals[final_of(i + v, j + w, 1, 1)], count, both);
                    if (after_w && v != w)
                        add(&finals[final_of(i + w, j + v, 1, 1)], count, both);
                }
            }
        }
    }
}

EXPORT void NAME(rows)(const uint8_t *rules, const int32_t *compositions, int64_t number, const uint8_t *row_of,
                       int32_t wagers, int32_t rows, int64_t *out) {
    /* compositions: number x 10 cards left by point value; row_of: wagers x 400, 255 where the wager is lost;
       out: number x rows ordered draws of six cards. */
    for (int64_t first = 0; first < number; first += SHOES_AT_ONCE) {
        stock s;
        wide finals[FINALS], sums[256];
        int lanes = number - first < SHOES_AT_ONCE ? (int)(number - first) : SHOES_AT_ONCE;
        int32_t columns[2 * VALUES][SHOES_AT_ONCE];
        for (int v = 0; v < 2 * VALUES; v++)
            for (int lane = 0; lane < SHOES_AT_ONCE; lane++)
                columns[v][lane] = compositions[(first + (lane < lanes ? lane : 0)) * VALUES + v % VALUES];
        memcpy(s.n, columns, sizeof s.n);
        s.all = s.n[0];
        for (int v = 1; v < VALUES; v++)
            s.all += s.n[v];
        count_hands(&s);
        memset(finals, 0, sizeof finals);
        memset(sums, 0, sizeof(wide) * rows);
        count_finals(rules, &s, finals);
        for (int wager = 0; wager < wagers; wager++)
            for (int f = 0; f < FINALS; f++) {
                int row = row_of[wager * FINALS + f];
                for (int which = 0; row != 255 && which < PARTS; which++)
                    sums[row].of[which] += finals[f].of[which];
            }
        for (int lane = 0; lane < lanes; lane++)
            for (int row = 0; row < rows; row++)
                out[(first + lane) * rows + row] = ((const int64_t *)&sums[row])[lane];
    }
}

#ifdef PLAIN
/* Endings of an opening whose four cards are gone: i and j are its totals, weight its ordered draws. */
static void count_thirds(const uint8_t *rules, const stock *s, int i, int j, int64_t weight, int64_t *finals) {
    int64_t rest = s->all;
    if (NATURAL(rules, i, j) || (!PLAYER_DRAWS(rules, i) && !BANKER_DRAWS(rules, j, -1))) {
        finals[final_of(i, j, 0, 0)] += weight * rest * (rest - 1);
        return;
    }
    for (int v = 0; v < VALUES; v++) {
        if (!PLAYER_DRAWS(rules, i))
            finals[final_of(i, j + v, 0, 1)] += weight * s->n[v] * (rest - 1);
        else if (!BANKER_DRAWS(rules, j, v))
            finals[final_of(i + v, j, 1, 0)] += weight * s->n[v] * (rest - 1);
        else
            for (int w = 0; w < VALUES; w++)
                finals[final_of(i + v, j + w, 1, 1)] += weight * two_cards(s, v, w);
    }
}

/* Endings with a pair of a value in one hand and any other hand: the pair is gone from s. */
static void count_one_pair(const uint8_t *rules, const stock *s, int value, int64_t weight, int64_t *player,
                           int64_t *banker) {
    int total = 2 * value % 10;
    int64_t after4 = (int64_t)(s->all - 2) * (s->all - 3), after5 = s->all - 3;
    stock one;
    for (int j = 0; j < 10; j++) {
        int64_t count = weight * s->q[j] * after4;
        if (NATURAL(rules, total, j) || (!PLAYER_DRAWS(rules, total) && !BANKER_DRAWS(rules, j, -1)))
            player[final_of(total, j, 0, 0)] += count;
        if (NATURAL(rules, j, total) || (!PLAYER_DRAWS(rules, j) && !BANKER_DRAWS(rules, total, -1)))
            banker[final_of(j, total, 0, 0)] += count;
    }
    int p_draws = PLAYER_DRAWS(rules, total), p_natural = PLAYER_NATURAL(rules, total);
    int b_natural = BANKER_NATURAL(rules, total);
    for (int v = 0; v < VALUES; v++) {
        int b_draws = BANKER_DRAWS(rules, total, v);
        int64_t single = weight * s->n[v] * after5;
        if (single == 0)
            continue;
        take(&one, s, v);
        for (int j = 0; j < 10; j++) {
            if (!p_natural && !BANKER_NATURAL(rules, j)) {
                if (!p_draws && BANKER_DRAWS(rules, j, -1))
                    player[final_of(total, j + v, 0, 1)] += single * one.q[j];
                if (p_draws && !BANKER_DRAWS(rules, j, v))
                    player[final_of(total + v, j, 1, 0)] += single * one.q[j];
            }
            if (!b_natural && !PLAYER_NATURAL(rules, j)) {
                if (!PLAYER_DRAWS(rules, j) && BANKER_DRAWS(rules, total, -1))
                    banker[final_of(j, total + v, 0, 1)] += single * one.q[j];
                if (PLAYER_DRAWS(rules, j) && !b_draws)
                    banker[final_of(j + v, total, 1, 0)] += single * one.q[j];
            }
        }
        p_draws = p_draws && !p_natural;
        b_draws = b_draws && !b_natural;
        for (int w = 0; w < VALUES && (p_draws || b_draws); w++) {
            int64_t both = weight * two_cards(s, v, w), hands[VALUES];
            if (both == 0)
                continue;
            for (int j = 0; j < 10; j++)
                hands[j] = both * (one.q[j] - 2 * others(&one, j, w));
            for (int j = 0; j < 10 && p_draws; j++)
                if (BANKER_DRAWS(rules, j, v) && !BANKER_NATURAL(rules, j))
                    player[final_of(total + v, j + w, 1, 1)] += hands[j];
            for (int j = 0; j < 10 && b_draws; j++)
                if (PLAYER_DRAWS(rules, j))
                    banker[final_of(j + v, total + w, 1, 1)] += hands[j];
        }
    }
}

/* Ordered draws of a Player's pair and a Banker's pair of value 0 that are not one rank. */
static int64_t two_pairs_of_tens(const int32_t *left, int by_point_value) {
    int64_t sum = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++)
                for (int d = 0; d < 4; d++) {
                    int player = a == b || (by_point_value && (a == 0 || b == 0));
                    int banker = c == d || (by_point_value && (c == 0 || d == 0));
                    if (!player || !banker || (a == b && b == c && c == d))
                        continue;
                    int64_t ways = left[a];
                    ways *= left[b] - (b == a);
                    ways *= left[c] - (c == a) - (c == b);
                    ways *= left[d] - (d == a) - (d == b) - (d == c);
                    sum += ways;
                }
    return sum;
}

/* The stock of a composition by rank number, with its ordered pairs and twins by point value. */
static void open_stock(const uint8_t *rules, const int32_t *left, stock *s, int64_t *pairs, int64_t *twins) {
    memset(s, 0, sizeof *s);
    memset(pairs, 0, sizeof(int64_t) * VALUES);
    memset(twins, 0, sizeof(int64_t) * VALUES);
    for (int rank = 0; rank < RANKS; rank++) {
        int value = rank < 4 ? 0 : rank - 3;
        int64_t n = left[rank];
        s->n[value] += left[rank];
        s->n[value + 10] += left[rank];
        s->all += left[rank];
        pairs[value] += n * (n - 1);
        twins[value] += n * (n - 1) * (n - 2) * (n - 3);
    }
    if (BY_POINT_VALUE(rules))
        pairs[0] += 2 * (int64_t)left[0] * (left[1] + left[2] + left[3]);
    count_hands(s);
}

static void count_classes(const uint8_t *rules, const int32_t *left, int64_t *out) {
    stock s, without, rest;
    int64_t pairs[VALUES], twins[VALUES], all[FINALS] = {0}, player[FINALS] = {0}, banker[FINALS] = {0};
    int64_t both[FINALS] = {0}, twin[FINALS] = {0};
    open_stock(rules, left, &s, pairs, twins);
    count_finals(rules, &s, (wide *)all);
    for (int a = 0; a < VALUES; a++) {
        if (pairs[a] == 0)
            continue;
        take(&rest, &s, a);
        take(&without, &rest, a);
        count_one_pair(rules, &without, a, pairs[a], player, banker);
        for (int b = 0; b < VALUES; b++) {
            int64_t weight = pairs[a] * pairs[b];
            if (a == b)
                weight = a == 0 ? two_pairs_of_tens(left, BY_POINT_VALUE(rules)) : 0;
            if (weight == 0 && (a != b || twins[a] == 0))
                continue;
            stock third;
            take(&third, &without, b);
            take(&rest, &third, b);
            count_thirds(rules, &rest, 2 * a % 10, 2 * b % 10, weight, both);
            if (a == b)
                count_thirds(rules, &rest, 2 * a % 10, 2 * a % 10, twins[a], twin);
        }
    }
    for (int f = 0; f < FINALS; f++) {
        int64_t *class = out + f * PAIR_STATES, two = both[f] + twin[f];
        class[0] = all[f] - player[f] - banker[f] + two;
        class[1] = player[f] - two;
        class[2] = banker[f] - two;
        class[3] = both[f];
        class[4] = twin[f];
    }
}

EXPORT void thirdcard_odds_apart(const uint8_t *rules, const int32_t *left, const uint8_t *by_final, int32_t wagers,
                                 const uint8_t *by_pairs, int32_t pair_wagers, int32_t events, int64_t *out) {
    /* Where no row asks about totals and pairs together. left as below; by_final: wagers x 400 events and by_pairs:
       pair_wagers x 5 events, 255 for none; out: ordered draws of six cards by event. */
    stock s;
    int64_t pairs[VALUES], twins[VALUES], finals[FINALS] = {0}, one = 0, both = 0, twin = 0;
    open_stock(rules, left, &s, pairs, twins);
    count_finals(rules, &s, (wide *)finals);
    for (int a = 0; a < VALUES; a++) {
        one += pairs[a];
        twin += twins[a];
    }
    for (int a = 0; a < VALUES; a++)
        both += pairs[a] * (one - pairs[a]);
    both += two_pairs_of_tens(left, BY_POINT_VALUE(rules));
    int64_t n = s.all, alone = one * (n - 2) * (n - 3), after = (n - 4) * (n - 5);
    int64_t none = n * (n - 1) * (n - 2) * (n - 3) - 2 * alone + both + twin;
    int64_t states[PAIR_STATES] = {none, alone - both - twin, alone - both - twin, both, twin};
    memset(out, 0, sizeof(int64_t) * events);
    for (int wager = 0; wager < wagers; wager++)
        for (int f = 0; f < FINALS; f++)
            if (by_final[wager * FINALS + f] != 255)
                out[by_final[wager * FINALS + f]] += finals[f];
    for (int wager = 0; wager < pair_wagers; wager++)
        for (int state = 0; state < PAIR_STATES; state++)
            if (by_pairs[wager * PAIR_STATES + state] != 255)
                out[by_pairs[wager * PAIR_STATES + state]] += states[state] * after;
}

EXPORT void thirdcard_odds(const uint8_t *rules, const int32_t *left, const uint16_t *kind_of, int32_t kinds,
                           const uint8_t *event_of, int32_t events, int64_t *out) {
    /* left: 13 counts by rank number, six cards or more in all; kind_of: 2000 classes to kinds; event_of:
       events x kinds, 1 where the event holds; out: ordered draws of six cards by event. */
    int64_t classes[CLASSES], counts[CLASSES] = {0};
    count_classes(rules, left, classes);
    for (int class = 0; class < CLASSES; class++)
        counts[kind_of[class]] += classes[class];
    for (int event = 0; event < events; event++) {
        out[event] = 0;
        for (int kind = 0; kind < kinds; kind++)
            out[event] += event_of[event * kinds + kind] * counts[kind];
    }
}
#endif

/* ---------------------------------------------------------------- simulation
 *
 * Every lane plays a shoe of its own. A lane does not shuffle: it knows how many cards of each rank are left, one
 * random number chooses among them, and the counts above the chosen card move down by one. What is kept are the
 * cumulative counts with the cards taken so far added, less one: then only the counts at or below the choice
 * change, and comparing is enough. A lane that takes no card chooses -1, which changes nothing and has value 0.
 *
 * The random number of a draw is a function of the shoe's two key words and of how many cards were taken before:
 * the mixing steps of murmur3's 32-bit finaliser over a Weyl sequence, with the second key word folded in between.
 * The keys come from seed and shoe by SplitMix64. A number h chooses card (h * left) >> 32, so that a card's
 * chance differs from 1/left by less than one in 2^32 numbers.
 */
typedef int16_t lane16 __attribute__((vector_size(2 * LANES)));
typedef uint32_t lane32 __attribute__((vector_size(2 * LANES)));
typedef int32_t signed32 __attribute__((vector_size(2 * LANES)));
typedef uint64_t lane64 __attribute__((vector_size(2 * LANES)));

#define WEYL 0x9E3779B9u
#define MOST_ROUNDS 160 /* in a shoe of 520 cards there are at most 130 */

typedef struct {
    lane16 below[12];       /* cumulative counts of all ranks but the last, plus taken, less one */
    lane16 left, taken;
    lane32 even, odd;       /* the Weyl sequence of even and of odd lanes */
    lane32 even_key, odd_key;
} shoes;

typedef struct {
    lane16 value, rank;
} card;

/* A lookup in sixteen bytes, lane by lane; the index is 0 to 15. */
INLINE lane16 lookup(const uint8_t *table, lane16 at) {
#if LANES == 32
    __m512i all = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table));
    return (lane16)_mm512_shuffle_epi8(all, (__m512i)(at | (int16_t)0x8000));
#elif LANES == 16
    __m256i all = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
    return (lane16)_mm256_shuffle_epi8(all, (__m256i)(at | (int16_t)0x8000));
#else
    lane16 found;
    for (int lane = 0; lane < LANES; lane++)
        found[lane] = table[at[lane] & 15];
    return found;
#endif
}

/* The high half of the products of 32-bit lanes. */
INLINE lane32 high(lane32 a, lane32 b) {
    lane64 a_odd = (lane64)a >> 32, b_odd = (lane64)b >> 32;
#if LANES == 32
    lane64 even = (lane64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
    lane64 odd = (lane64)_mm512_mul_epu32((__m512i)a_odd, (__m512i)b_odd);
#elif LANES == 16
    lane64 even = (lane64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
    lane64 odd = (lane64)_mm256_mul_epu32((__m256i)a_odd, (__m256i)b_odd);
#else
    lane64 even = ((lane64)a & 0xFFFFFFFFu) * ((lane64)b & 0xFFFFFFFFu);
    lane64 odd = a_odd * b_odd;
#endif
    return (lane32)((even >> 32) | (odd & 0xFFFFFFFF00000000u));
}

INLINE lane32 mix(lane32 h, lane32 key) {
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= key;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    return h;
}

/* One card for every lane, or for the lanes of `who`. */
INLINE card draw(shoes *s, int everyone, lane16 who) {
    lane32 left = (lane32)s->left;
    lane32 even = high(mix(s->even, s->even_key), left & 0xFFFFu);
    lane32 odd = high(mix(s->odd, s->odd_key), left >> 16);
    lane16 at = (lane16)(even | (odd << 16)) + s->taken;
    lane16 court = {0}, value = {0};
    if (everyone) {
        s->left -= 1;
        s->taken += 1;
        s->even += WEYL;
        s->odd += WEYL;
    } else {
        at |= ~who;
        s->left += who;
        s->taken -= who;
        signed32 both = (signed32)who;
        s->even += (lane32)((both << 16) >> 16) & WEYL;
        s->odd += (lane32)(both >> 16) & WEYL;
    }
    for (int k = 0; k < 3; k++) {
        lane16 beyond = at > s->below[k];
        s->below[k] -= beyond;
        court -= beyond;
    }
    for (int k = 3; k < 12; k++) {
        lane16 beyond = at > s->below[k];
        s->below[k] -= beyond;
        value -= beyond;
    }
    return (card){value, value + court};
}

INLINE lane16 units(lane16 total) { return total - ((total > 9) & 10); }

typedef struct {
    uint8_t player[16], banker[16];          /* 1 natural, 2 draws */
    uint8_t row_low[16], row_high[16];       /* by Banker total: on which third cards the Banker draws */
    uint8_t bit_low[16], bit_high[16];       /* by third card, 0 the Player stood: its bit in a row */
    int by_point_value;
} tables;

static void compile_rules(tables *t, const uint8_t *rules) {
    memset(t, 0, sizeof *t);
    for (int total = 0; total < 10; total++) {
        t->player[total] = PLAYER_NATURAL(rules, total) | 2 * PLAYER_DRAWS(rules, total);
        t->banker[total] = BANKER_NATURAL(rules, total);
        for (int third = 0; third < 11; third++)
            if (BANKER_DRAWS(rules, total, third - 1)) {
                t->row_low[total] |= third < 8 ? 1 << third : 0;
                t->row_high[total] |= third < 8 ? 0 : 1 << (third - 8);
            }
    }
    for (int third = 0; third < 11; third++) {
        t->bit_low[third] = third < 8 ? 1 << third : 0;
        t->bit_high[third] = third < 8 ? 0 : 1 << (third - 8);
    }
    t->by_point_value = BY_POINT_VALUE(rules);
}

INLINE lane16 pair(lane16 first, lane16 second, int by_point_value) {
    lane16 same = first == second;
    if (by_point_value)
        same |= (first < 4) & (second < 4) & ((first == 0) | (second == 0));
    return same;
}

typedef struct {
    lane16 class, player, banker;
    lane16 card[6], drawn[2]; /* ranks as drawn; who took cards five and six */
} result;

/* A round for every lane, or for the lanes of `live`. */
INLINE result play(shoes *s, const tables *t, int everyone, lane16 live) {
    result r;
    card c[6];
    for (int number = 0; number < 4; number++)
        c[number] = draw(s, everyone, live);
    lane16 p = units(c[0].value + c[2].value), b = units(c[1].value + c[3].value);
    lane16 about_p = lookup(t->player, p), about_b = lookup(t->banker, b);
    lane16 open = ((about_p | about_b) & 1) == 0;
    if (!everyone)
        open &= live;
    lane16 p_draws = open & ((about_p & 2) != 0);
    c[4] = draw(s, 0, p_draws);
    lane16 third = (c[4].value + 1) & p_draws;
    lane16 hit = (lookup(t->row_low, b) & lookup(t->bit_low, third)) |
                 (lookup(t->row_high, b) & lookup(t->bit_high, third));
    lane16 b_draws = open & (hit != 0);
    c[5] = draw(s, 0, b_draws);
    p = units(p + c[4].value);
    b = units(b + c[5].value);
    lane16 p_pair = pair(c[0].rank, c[2].rank, t->by_point_value);
    lane16 b_pair = pair(c[1].rank, c[3].rank, t->by_point_value);
    lane16 twin = p_pair & b_pair & (c[0].rank == c[1].rank) & (c[0].rank == c[2].rank) &
                  (c[1].rank == c[3].rank);
    lane16 final = ((p * 10 + b) << 2) - (p_draws << 1) - b_draws;
    r.class = final * PAIR_STATES - p_pair - (b_pair << 1) - twin;
    r.player = p;
    r.banker = b;
    for (int number = 0; number < 6; number++)
        r.card[number] = c[number].rank;
    r.drawn[0] = p_draws;
    r.drawn[1] = b_draws;
    return r;
}

typedef struct {
    int32_t left[RANKS];      /* a full shoe by rank number */
    int32_t burn;             /* 0 none, k > 0 so many cards, -1 the first card and as many as it is worth */
    int32_t rounds;           /* so many rounds a shoe, or 0: until the cutting card */
    int32_t cut, after;       /* cards behind the cutting card; rounds after the one in which it comes */
    uint64_t seed;
} plan;

INLINE uint64_t splitmix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void open_shoes(shoes *s, const plan *p, uint64_t first) {
    int32_t all = 0;
    uint32_t key[LANES], counter[LANES];
    for (int rank = 0; rank < RANKS; rank++) {
        all += p->left[rank];
        if (rank < 12)
            s->below[rank] = (lane16){0} + (int16_t)(all - 1);
    }
    s->left = (lane16){0} + (int16_t)all;
    s->taken = (lane16){0};
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t z = splitmix(splitmix(p->seed) + (first + lane + 1) * 0x9E3779B97F4A7C15u);
        counter[lane] = (uint32_t)z;
        key[lane] = (uint32_t)(z >> 32);
    }
    for (int lane = 0; lane < LANES; lane += 2) {
        s->even[lane / 2] = counter[lane];
        s->odd[lane / 2] = counter[lane + 1];
        s->even_key[lane / 2] = key[lane];
        s->odd_key[lane / 2] = key[lane + 1];
    }
}

static int most_burned(const plan *p) { return p->burn < 0 ? 11 : p->burn; }

/* Where the cards and classes of a few shoes are written down, if anywhere. */
typedef struct {
    int8_t *cards;      /* shoes x 520 rank numbers in the order drawn, burned ones included; -1 beyond */
    int16_t *classes;   /* shoes x 160 classes; -1 beyond */
    int16_t *starts;    /* shoes x 160 cards taken before each round; -1 beyond */
} script;

INLINE void write_card(const script *to, lane16 at, lane16 rank, lane16 who, int shoes_here) {
    for (int lane = 0; lane < shoes_here; lane++)
        if (who[lane])
            to->cards[lane * 520 + at[lane]] = (int8_t)rank[lane];
}

static void burn(shoes *s, const plan *p, const script *to, int shoes_here) {
    lane16 all = (lane16){0} - 1;
    if (p->burn == 0)
        return;
    lane16 at = s->taken;
    card first = draw(s, 1, all);
    if (to)
        write_card(to, at, first.rank, all, shoes_here);
    lane16 worth = first.value + ((first.value == 0) & 10);
    for (int number = 0; number < most_burned(p) - 1; number++) {
        lane16 who = p->burn > 0 ? all : worth > (int16_t)number;
        at = s->taken;
        card next = draw(s, 0, who);
        if (to)
            write_card(to, at, next.rank, who, shoes_here);
    }
}

typedef struct {
    lane16 rounds, came, after;
    lane16 run[3], longest[3]; /* Player, Banker, tie */
} course;

INLINE void follow(course *c, const result *r, int everyone, lane16 live) {
    lane16 won[3] = {r->player > r->banker, r->banker > r->player, r->player == r->banker};
    if (!everyone)
        for (int side = 0; side < 3; side++)
            won[side] &= live;
    c->run[0] = (c->run[0] - won[0]) & ~won[1];
    c->run[1] = (c->run[1] - won[1]) & ~won[0];
    c->run[2] = (c->run[2] - won[2]) & won[2];
    for (int side = 0; side < 3; side++)
        c->longest[side] -= c->run[side] > c->longest[side];
}

INLINE void write_round(const script *to, const course *c, const result *r, lane16 at, lane16 live, int shoes_here) {
    for (int lane = 0; lane < shoes_here; lane++) {
        if (!live[lane])
            continue;
        int place = at[lane], round = c->rounds[lane];
        to->starts[lane * MOST_ROUNDS + round] = (int16_t)place;
        to->classes[lane * MOST_ROUNDS + round] = r->class[lane];
        for (int number = 0; number < 6; number++)
            if (number < 4 || r->drawn[number - 4][lane])
                to->cards[lane * 520 + place++] = (int8_t)r->card[number][lane];
    }
}

/* A group of shoes, one a lane, from the first card to the last round; lanes beyond shoes_here stay empty. */
INLINE void play_group(const plan *p, const tables *t, uint64_t first, int shoes_here, course *c, uint32_t *counts,
                       const script *to) {
    shoes s;
    uint16_t class[LANES];
    int32_t all = 0;
    lane16 exists = {0};
    for (int lane = 0; lane < shoes_here; lane++)
        exists[lane] = -1;
    for (int rank = 0; rank < RANKS; rank++)
        all += p->left[rank];
    memset(c, 0, sizeof *c);
    c->after += (int16_t)p->after;
    open_shoes(&s, p, first);
    burn(&s, p, to, shoes_here);
    int certain = p->rounds ? p->rounds : (all - most_burned(p) - p->cut + 5) / 6;
    if (shoes_here == LANES && !to) {
        for (int round = 0; round < certain; round++) {
            result r = play(&s, t, 1, exists);
            follow(c, &r, 1, exists);
            memcpy(class, &r.class, sizeof class);
            for (int lane = 0; lane < LANES; lane++)
                counts[class[lane]]++;
        }
        c->rounds += (int16_t)certain;
        c->came = s.left <= (int16_t)p->cut;
    }
    for (;;) {
        lane16 live = exists & (p->rounds ? c->rounds < (int16_t)p->rounds : ~c->came | (c->after > 0));
        int64_t any = 0, words[2 * LANES / 8];
        memcpy(words, &live, sizeof words);
        for (int word = 0; word < 2 * LANES / 8; word++)
            any |= words[word];
        if (!any)
            return;
        lane16 at = s.taken;
        result r = play(&s, t, 0, live);
        follow(c, &r, 0, live);
        if (to)
            write_round(to, c, &r, at, live, shoes_here);
        r.class = (r.class & live) | (CLASSES & ~live);
        memcpy(class, &r.class, sizeof class);
        for (int lane = 0; lane < LANES; lane++)
            counts[class[lane]]++;
        c->after += c->came & live;
        c->rounds -= live;
        c->came = s.left <= (int16_t)p->cut;
    }
}

EXPORT void NAME(play)(const uint8_t *rules, const plan *p, uint64_t first, uint64_t number, int32_t block,
                       const uint16_t *kind_of, int32_t kinds, const uint8_t *event_of, int32_t events,
                       const int32_t *products, int32_t product_count, uint64_t *classes, uint64_t *sums,
                       uint64_t *course_counts) {
    /* Shoes first ... first + number - 1 in blocks; first is a multiple of block. kind_of: 2000 classes to kinds
       that no wager tells apart; event_of: events x kinds, 1 where the event holds; event number `events` is a
       round itself; products: pairs of events whose products, block by block, are added up in sums.
       course_counts: 4 x 160 shoes by rounds and by longest runs of Player, Banker and ties. */
    tables t;
    uint32_t counts[CLASSES + 1];
    uint64_t kind_counts[CLASSES], x[256];
    compile_rules(&t, rules);
    for (uint64_t done = 0; done < number; done += block) {
        uint64_t here = number - done < (uint64_t)block ? number - done : (uint64_t)block;
        memset(counts, 0, sizeof counts);
        for (uint64_t group = 0; group < here; group += LANES) {
            course c;
            int shoes_here = here - group < LANES ? (int)(here - group) : LANES;
            play_group(p, &t, first + done + group, shoes_here, &c, counts, 0);
            for (int lane = 0; lane < shoes_here; lane++) {
                course_counts[c.rounds[lane]]++;
                for (int side = 0; side < 3; side++)
                    course_counts[(side + 1) * MOST_ROUNDS + c.longest[side][lane]]++;
            }
        }
        memset(kind_counts, 0, sizeof(uint64_t) * kinds);
        x[events] = 0;
        for (int class = 0; class < CLASSES; class++) {
            classes[class] += counts[class];
            kind_counts[kind_of[class]] += counts[class];
            x[events] += counts[class];
        }
        for (int event = 0; event < events; event++) {
            x[event] = 0;
            for (int kind = 0; kind < kinds; kind++)
                x[event] += event_of[event * kinds + kind] * kind_counts[kind];
        }
        for (int product = 0; product < product_count; product++)
            sums[product] += x[products[2 * product]] * x[products[2 * product + 1]];
    }
}

EXPORT void NAME(script)(const uint8_t *rules, const plan *p, uint64_t first, uint64_t number, int8_t *cards,
                         int16_t *classes, int16_t *starts) {
    /* The same shoes, written down card by card; the arrays come filled with -1. */
    tables t;
    uint32_t counts[CLASSES + 1] = {0};
    compile_rules(&t, rules);
    for (uint64_t group = 0; group < number; group += LANES) {
        course c;
        int shoes_here = number - group < LANES ? (int)(number - group) : LANES;
        script to = {cards + group * 520, classes + group * MOST_ROUNDS, starts + group * MOST_ROUNDS};
        play_group(p, &t, first + group, shoes_here, &c, counts, &to);
    }
}

#ifdef PLAIN
/* ---------------------------------------------------------------- the machine */
#if defined(__x86_64__)
#include <cpuid.h>

EXPORT int32_t thirdcard_widest(void) {
    /* 0 plain, 1 avx2, 2 avx512: what the processor has and the system saves. */
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 27)))
        return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 5)))
        return 0;
    unsigned needed = (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31); /* F, DQ, BW, VL */
    return (low & 0xE0) == 0xE0 && (b & needed) == needed ? 2 : 1;
}
#else
EXPORT int32_t thirdcard_widest(void) { return 0; }
#endif
#endif
