@file:JvmName("Shelves")

package com.example.shelf

import kotlin.math.max

/** How many fit. */
const val LIMIT = 40
val lazyOne by lazy { 1 }
typealias Pair2<A> = Pair<A, A>

// An extension.
fun String.shout(): String = uppercase()

fun <T> List<T>.second(): T {
    fun local() {}
    return this[1]
}

/**
 * 책 한 권.
 */
@Serializable
data class Book(val title: String, val pages: Int = 0) : Base(), Comparable<Book> {
    val short: Boolean
        get() = pages < 10

    var owner: String? = null
        private set

    init {
        require(pages >= 0)
    }

    constructor(title: String) : this(title, 0)

    override operator fun compareTo(other: Book): Int = 0

    inner class Page {
        fun turn() {}
    }

    companion object {
        const val MAX = 10

        @JvmStatic
        fun of(title: String) = Book(title)
    }
}

class Holder {
    companion object Factory {
        fun make() = Holder()
    }
}

object Registry : Walker {
    private val all = mutableListOf<Book>()
    override fun walk() {}
}

enum class Colour(val code: Int) {
    RED(1),
    GREEN(2) {
        override fun wave() = 1
    };

    open fun wave() = 0
}

sealed interface 도형 {
    data object 원 : 도형
    fun 넓이(): Double
}

fun interface Action { fun run() }

annotation class Marker
