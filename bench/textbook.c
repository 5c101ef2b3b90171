/* The yardstick: baccarat in plain C, one shoe after the other. Every shoe is shuffled card by card (Fisher-Yates with
 * xoshiro256++) as far as its rounds can reach, rounds are dealt from the top by a table of play, and every wager of
 * Tiger No Commission is tallied. A round has no branch to mispredict: tables say who draws, and results are counted by
 * points and sorted into wagers at the end. */
#include <stdint.h>

enum { MOST_CARDS = 520, MOST_IN_ROUND = 6 };

static uint64_t state[4];
static uint8_t values[14], points[14][14], sums[20]; /* of a rank, of two ranks, of a hand with its third card */
static uint8_t player_draws[10][10], banker_draws[10][10][10]; /* by the points of both hands, and a third card */

static uint64_t rotate(uint64_t number, int by) { return number << by | number >> (64 - by); }

static uint64_t next_number(void) {
    uint64_t number = rotate(state[0] + state[3], 23) + state[0], shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate(state[3], 45);
    return number;
}

static void seed_numbers(uint64_t seed) { /* by splitmix64 */
    for (int word = 0; word < 4; word++) {
        uint64_t mixed = seed += 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
        state[word] = mixed ^ mixed >> 31;
    }
}

static int draws_after(int banker, int third) {
    return banker <= 2 || (banker == 3 && third != 8) || (banker == 4 && third >= 2 && third <= 7) ||
           (banker == 5 && third >= 4 && third <= 7) || (banker == 6 && (third == 6 || third == 7));
}

static void write_tables(void) {
    for (int rank = 1; rank <= 13; rank++)
        values[rank] = (uint8_t)(rank < 10 ? rank : 0);
    for (int one = 1; one <= 13; one++)
        for (int other = 1; other <= 13; other++)
            points[one][other] = (uint8_t)((values[one] + values[other]) % 10);
    for (int sum = 0; sum < 20; sum++)
        sums[sum] = (uint8_t)(sum % 10);
    for (int player = 0; player < 8; player++) /* nobody draws against a natural */
        for (int banker = 0; banker < 8; banker++) {
            player_draws[player][banker] = player <= 5;
            for (int third = 0; third < 10; third++)
                banker_draws[player][banker][third] = player <= 5 ? draws_after(banker, third) : banker <= 5;
        }
}

static void swap(uint8_t *cards, int one, int other) {
    uint8_t card = cards[one];
    cards[one] = cards[other];
    cards[other] = card;
}

static void shuffle(uint8_t *cards, int number, int dealt) {
    for (int left = number; left > number - dealt; left -= 2) { /* 32 bits for each card */
        uint64_t random = next_number();
        swap(cards, left - 1, (int)((random >> 32) * (uint64_t)left >> 32));
        swap(cards, left - 2, (int)((random & 0xFFFFFFFF) * (uint64_t)(left - 1) >> 32));
    }
}

/* tallies: player, banker, banker on six, tie, tiger two cards, tiger three cards, one pair, two pairs, twin, tiger tie */
static void tally(int player, int banker, int three, int64_t count, int64_t *tallies) {
    if (player > banker) {
        tallies[0] += count;
    } else if (banker > player && banker == 6) {
        tallies[2] += count;
        tallies[three ? 5 : 4] += count;
    } else if (banker > player) {
        tallies[1] += count;
    } else {
        tallies[3] += count;
        tallies[9] += player == 6 ? count : 0;
    }
}

/* A shoe must have six cards for every round. */
void textbook(uint64_t seed, int64_t shoes, int rounds, int decks, int64_t *tallies) {
    uint8_t cards[MOST_CARDS];
    int64_t results[10][10][2] = {0}, pairs[4] = {0}; /* by points and Banker's third card; none, one, two, twin */
    int number = 52 * decks;
    write_tables();
    seed_numbers(seed);
    for (int card = 0; card < number; card++)
        cards[card] = (uint8_t)(card % 13 + 1);
    for (int64_t shoe = 0; shoe < shoes; shoe++) {
        shuffle(cards, number, MOST_IN_ROUND * rounds);
        const uint8_t *top = cards + number - 1;
        for (int round = 0; round < rounds; round++) {
            int p1 = top[0], b1 = top[-1], p2 = top[-2], b2 = top[-3], third = values[top[-4]];
            int player = points[p1][p2], banker = points[b1][b2];
            int player_drew = player_draws[player][banker], banker_drew = banker_draws[player][banker][third];
            int last = values[top[-4 - player_drew]];
            top -= 4 + player_drew + banker_drew;
            results[sums[player + (player_drew ? third : 0)]][sums[banker + (banker_drew ? last : 0)]][banker_drew]++;
            int of_pairs = (p1 == p2) + (b1 == b2);
            pairs[of_pairs + (of_pairs == 2 && p1 == b1)]++;
        }
    }
    for (int player = 0; player < 10; player++)
        for (int banker = 0; banker < 10; banker++)
            for (int three = 0; three < 2; three++)
                tally(player, banker, three, results[player][banker][three], tallies);
    for (int kind = 1; kind < 4; kind++)
        tallies[5 + kind] += pairs[kind];
}
