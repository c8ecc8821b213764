// The error classes of hlo-wasm.
import { nameClasses } from './class_names.js';

/** What every error of this package is. `code` is a short stable name for programs to test. */
export class HloError extends Error {
  /**
   * @param {string} message
   * @param {string} [code]
   */
  constructor(message, code = 'invalid argument') {
    super(message);
    this.name = new.target.name;
    /** @type {string} */
    this.code = code;
  }
}

/** Text or bytes that are not a program. `line` and `column` count from 1; 0 when there is no position. */
export class ParseError extends HloError {
  /**
   * @param {string} message
   * @param {number} [line]
   * @param {number} [column]
   */
  constructor(message, line = 0, column = 0) {
    super(message, 'parse error');
    this.line = line;
    this.column = column;
  }
}

/** A documented constraint on shapes, types or attributes does not hold. Positions as in ParseError. */
export class ShapeError extends HloError {
  /**
   * @param {string} message
   * @param {number} [line]
   * @param {number} [column]
   */
  constructor(message, line = 0, column = 0) {
    super(message, 'shape error');
    this.line = line;
    this.column = column;
  }
}

/**
 * Well-formed, but this engine cannot run it. Positions as in ParseError. The code "open program" means that it can, once it
 * is told the shapes of the arguments, or elements that sizes depend on.
 */
export class UnsupportedError extends HloError {
  /**
   * @param {string} message
   * @param {number} [line]
   * @param {number} [column]
   * @param {string} [code]
   */
  constructor(message, line = 0, column = 0, code = 'unsupported') {
    super(message, code);
    this.line = line;
    this.column = column;
  }
}

/** An object was used after dispose(). */
export class DisposedError extends HloError {
  /** @param {string} what */
  constructor(what) {
    super(`this ${what} has been disposed`, 'disposed');
  }
}

/** Found while running: a failed expectation, or memory that ran out. Positions as in ParseError. */
export class RunError extends HloError {
  /**
   * @param {string} message
   * @param {string} code
   * @param {number} [line]
   * @param {number} [column]
   */
  constructor(message, code, line = 0, column = 0) {
    super(message, code);
    this.line = line;
    this.column = column;
  }
}
nameClasses({ HloError, ParseError, ShapeError, UnsupportedError, DisposedError, RunError });
