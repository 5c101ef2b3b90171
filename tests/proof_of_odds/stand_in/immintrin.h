/* The few AVX-512 instructions that the kernel names, in plain C by their documented meaning, so that its widest
 * version runs on any machine. In place of the compiler's own header of this name. */
#ifndef STAND_IN_IMMINTRIN_H
#define STAND_IN_IMMINTRIN_H

#include <stdint.h>
#include <string.h>

typedef long long __m128i __attribute__((vector_size(16)));
typedef long long __m256i __attribute__((vector_size(32)));
typedef long long __m512i __attribute__((vector_size(64)));
#define STAND_IN static inline __attribute__((always_inline))

STAND_IN __m128i _mm_loadu_si128(const __m128i *from) {
    __m128i loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

/* Four lanes of 64 bits: the low half, or the half that is named. */
STAND_IN __m256i _mm512_extracti64x4_epi64(__m512i a, int half) {
    return (__m256i){a[4 * half], a[4 * half + 1], a[4 * half + 2], a[4 * half + 3]};
}
STAND_IN __m256i _mm512_castsi512_si256(__m512i a) { return _mm512_extracti64x4_epi64(a, 0); }

/* Eight lanes of 32 bits with their signs to eight lanes of 64 bits. */
STAND_IN __m512i _mm512_cvtepi32_epi64(__m256i a) {
    int32_t narrow[8];
    __m512i wide;
    memcpy(narrow, &a, sizeof narrow);
    for (int lane = 0; lane < 8; lane++)
        wide[lane] = narrow[lane];
    return wide;
}

/* The products of the low 32 bits of every 64, without signs. */
STAND_IN __m512i _mm512_mul_epu32(__m512i a, __m512i b) {
    __m512i product;
    for (int lane = 0; lane < 8; lane++)
        product[lane] = (long long)((uint64_t)(uint32_t)a[lane] * (uint32_t)b[lane]);
    return product;
}

/* Sixteen bytes four times over. */
STAND_IN __m512i _mm512_broadcast_i32x4(__m128i a) {
    return (__m512i){a[0], a[1], a[0], a[1], a[0], a[1], a[0], a[1]};
}

/* In every sixteen bytes: the byte at the index, or nothing where the index has its high bit set. */
STAND_IN __m512i _mm512_shuffle_epi8(__m512i a, __m512i index) {
    uint8_t bytes[64], at[64], found[64];
    memcpy(bytes, &a, sizeof bytes);
    memcpy(at, &index, sizeof at);
    for (int byte = 0; byte < 64; byte++)
        found[byte] = at[byte] & 0x80 ? 0 : bytes[(byte & 0x30) | (at[byte] & 15)];
    __m512i all;
    memcpy(&all, found, sizeof all);
    return all;
}

#endif
