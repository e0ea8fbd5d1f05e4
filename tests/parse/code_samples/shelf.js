"use strict";
const fs = require("fs");
const { join } = require("path");

// 책의 수
const LIMIT = 40;
var later;

/** Opens it. */
function open(name) {
  function inner() {}
  return inner;
}

async function* walk() {}

const find = (key) => key;
let compare = function named(a, b) { return a - b; };

class Shelf extends Base {
  #hidden = 1;
  static count = 0;
  onClick = () => {
    this.open();
  };

  constructor() { super(); }

  /** Reads. */
  async read() {
    return fs;
  }

  get width() { return 1; }
  static create() {}
  "quoted name"() {}
  *[Symbol.iterator]() {}
}

Shelf.prototype.close = function () {
  return null;
};
exports.open = function (x) { return open(x); };
module.exports.find = async (x) => x;
module.exports = { open, find };

const Mixed = class extends Shelf { run() {} };

export const 찾기 = (낱말) => 낱말;
export default () => 1;

if (later) {
  later();
}
