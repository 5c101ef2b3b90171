/* The yardstick: baccarat as a textbook would simulate it. Every shoe is shuffled card by card (Fisher-Yates with
 * xorshift64*), rounds are dealt from the top by branching rules, and every wager of Tiger No Commission is tallied. */
#include <stdint.h>

static uint64_t state;

static uint32_t next_number(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545F4914F6CDD1DULL) >> 32);
}

static int value(int rank) { return rank < 10 ? rank : 0; }

/* tallies: player, banker, banker on six, tie, tiger two cards, tiger three cards, one pair, two pairs, twin, tiger tie */
void textbook(uint64_t seed, int64_t shoes, int rounds, int decks, int64_t *tallies) {
    uint8_t cards[520];
    int all = 52 * decks;
    state = seed * 2 + 1;
    for (int card = 0; card < all; card++)
        cards[card] = (uint8_t)(card % 13 + 1);
    for (int64_t shoe = 0; shoe < shoes; shoe++) {
        for (int last = all - 1; last > 0; last--) {
            int at = (int)(((uint64_t)next_number() * (uint64_t)(last + 1)) >> 32);
            uint8_t card = cards[at];
            cards[at] = cards[last];
            cards[last] = card;
        }
        int next = 0;
        for (int round = 0; round < rounds; round++) {
            int p1 = cards[next++], b1 = cards[next++], p2 = cards[next++], b2 = cards[next++];
            int player = (value(p1) + value(p2)) % 10, banker = (value(b1) + value(b2)) % 10, three = 0;
            if (player < 8 && banker < 8) {
                if (player <= 5) {
                    int third = value(cards[next++]);
                    player = (player + third) % 10;
                    if (banker <= 2 || (banker == 3 && third != 8) || (banker == 4 && third >= 2 && third <= 7) ||
                        (banker == 5 && third >= 4 && third <= 7) || (banker == 6 && (third == 6 || third == 7))) {
                        banker = (banker + value(cards[next++])) % 10;
                        three = 1;
                    }
                } else if (banker <= 5) {
                    banker = (banker + value(cards[next++])) % 10;
                    three = 1;
                }
            }
            if (player > banker) {
                tallies[0]++;
            } else if (banker > player) {
                if (banker == 6) {
                    tallies[2]++;
                    tallies[three ? 5 : 4]++;
                } else {
                    tallies[1]++;
                }
            } else {
                tallies[3]++;
                if (player == 6)
                    tallies[9]++;
            }
            if (p1 == p2 && b1 == b2)
                tallies[p1 == b1 ? 8 : 7]++;
            else if (p1 == p2 || b1 == b2)
                tallies[6]++;
        }
    }
}
