// Shelves.
#include <vector>
#define SHELF_API __attribute__((visibility("default")))

using namespace std;

namespace lib::shelf {

/// How many fit.
constexpr int kLimit = 40;
using Key = std::string;
template <typename T> using Vec = std::vector<T>;
enum class Colour : int { Red, Green };

template <typename T>
concept Readable = requires(T t) { t.read(); };

/**
 * A shelf.
 */
template <typename T, int N = 3>
class Shelf : public Base<T> {
public:
    Shelf() = default;
    explicit Shelf(int n) : n_(n) {}
    virtual ~Shelf();

    // comparison
    bool operator==(const Shelf& other) const { return true; }
    T& operator[](int i);
    operator bool() const { return true; }
    friend std::ostream& operator<<(std::ostream& os, const Shelf& s);

    template <typename U>
    U convert() const {
        return U();
    }

    struct Inner {
        int depth;
        void dig() {}
    };

    static const int kMax = 3;

private:
    int n_;
    std::vector<T> books_;
};

template <typename T, int N>
Shelf<T, N>::~Shelf() {}

template <>
class Shelf<int, 3> {
    void special() {}
};

namespace {
int hidden() { return 1; }
}

inline namespace v1 { void versioned(); }

}  // namespace lib::shelf

void lib::shelf::helper(int a) {
    auto f = [](int x) { return x; };
}

lib::shelf::Colour& lib::pick() { static Colour c; return c; }

extern "C" {
int c_entry(void);
}

int 찾기(const std::string& 낱말) { return 0; }

struct Plain { int a; int b; };
Plain global_plain{1, 2};
unsigned long long operator"" _km(unsigned long long v) { return v; }
auto trailing() -> int { return 1; }
