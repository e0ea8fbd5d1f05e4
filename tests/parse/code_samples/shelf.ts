/* A module about shelves. */
import { Book } from "./book";
import type { Key } from "./key";

/** How many books fit. */
export const LIMIT = 40;
const { a, b } = Book;
let counter = 0;

/**
 * Finds one.
 */
export const find = async <T>(key: Key): Promise<T> => {
  const inner = () => 1;
  return inner() as T;
};

const compare = function (a: number, b: number) { return a - b; };

export function open(name: string): Book;
export function open(name: number): Book;
export function open(name: unknown): Book {
  return new Book(name);
}

export default function* walk() { yield 1; }

export interface Shelf<T extends Book> extends Iterable<T> {
  readonly width: number;
  find(key: Key): T;
  [index: number]: T;
}

export type Pair<A> = [A, A];
export enum Colour { Red, Green }
declare const enum Flags { None = 0 }
declare function external(x: number): void;
declare module "elsewhere" {
  export function there(): void;
}

@Component({ selector: "shelf" })
export class WoodenShelf<T> extends Base<T> implements Shelf<T> {
  static #count = 0;
  private readonly books: T[] = [];
  handler = (event: Event): void => {
    this.find(event);
  };

  static {
    WoodenShelf.#count = 1;
  }

  constructor(private readonly name: string) {
    super();
  }

  // overloads
  find(key: string): T;
  find(key: number): T;
  @Memo()
  find(key: unknown): T {
    return this.books[0];
  }

  get width(): number { return 1; }
  set width(value: number) {}
  async *[Symbol.asyncIterator]() {}
  abstract close(): void;
}

abstract class 책장 {
  abstract 찾기(낱말: string): void;
}

namespace Outer.Inner {
  export const depth = 2;
  export class Nested {
    run() {}
  }
}

export namespace Tools {
  export function hammer() {}
}

export { find as search };
find("x");
