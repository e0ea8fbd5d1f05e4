// Package shelf keeps books.
package shelf

import (
	"fmt"
	"io"
)

// Limit is how many fit.
const Limit = 40

const (
	Red Colour = iota
	Green
)

var (
	// ErrMissing is returned when it is not there.
	ErrMissing = fmt.Errorf("missing")
	count, total int
)

var single = 1

// Colour is a colour.
type Colour int

// Book is a book.
//
// It has pages.
type Book[T any] struct {
	Title string `json:"title"`
	pages []T
}

type (
	// Reader reads.
	Reader interface {
		io.Reader
		Find(key string) (*Book[int], error)
	}
	Alias = Colour
)

// Open opens a book.
func Open(name string) (*Book[int], error) {
	inner := func() {}
	inner()
	return nil, ErrMissing
}

func (b *Book[T]) Find(key string) T {
	var zero T
	return zero
}

func (c Colour) String() string { return "c" }

func (책장) 찾기(낱말 string) {}

func Map[K comparable, V any](m map[K]V) []K { return nil }

func init() {}
func init() {}
