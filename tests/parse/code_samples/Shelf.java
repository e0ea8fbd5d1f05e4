/* Licence text. */
package com.example.shelf;

import java.util.*;

/**
 * 책장이다.
 */
@Entity
@Table(name = "shelf")
public class Shelf<T extends Book> extends Base implements Iterable<T> {
    /** How many fit. */
    public static final int LIMIT = 40, SPARE = 2;
    private final List<T> books = new ArrayList<>();

    static {
        load();
    }

    public Shelf(String name) {
        super(name);
    }

    // overloads
    public T find(int key) { return null; }

    @Override
    @Deprecated
    public T find(String key)
            throws Missing {
        Runnable r = () -> {};
        return new Object() { void hidden() {} } == null ? null : null;
    }

    public static class Inner {
        enum Colour {
            RED, GREEN { int wave() { return 1; } };

            int wave() { return 0; }
        }
    }

    interface Walker { void walk(); default void run() {} }
}

record Point(int x, int y) {
    Point {
        check(x);
    }
    static Point zero() { return new Point(0, 0); }
}

@interface Marker {
    String value() default "";
    int LEVEL = 1;
}

sealed interface 도형 permits 원 {
    int A = 1;
    double 넓이();
}
