/* Shelves. */
#include <stdio.h>

/* How many fit. */
#define LIMIT 40
#define MAX(a, b) \
    ((a) > (b) ? (a) : (b))

#ifdef WITH_COLOUR
enum colour { RED, GREEN };
#else
static int colour;
#endif

typedef struct book {
    const char *title;
    struct { int n; } pages;
} book_t;

typedef int (*compare_fn)(const void *, const void *);
typedef unsigned long size2, *size2_ptr;

struct shelf;
struct shelf {
    book_t *books;
};

union bits { int a; float b; };

struct point { int x; } origin = { 0 };

extern int errno_copy;
static const char *names[] = {
    "a",
    "b",
};

/* A prototype. */
int find(const struct shelf *shelf, const char *key);

/**
 * Finds one.
 */
static inline int
find_all(struct shelf *shelf)
{
    if (!shelf) {
        return 0;
    }
    return 1;
}

int (*pick(int which))(int) { return 0; }

char *
old_style(a, b)
    int a;
    char *b;
{
    return b;
}

int 찾기(void) { return 0; }

DEFINE_SHELF(one, two);
