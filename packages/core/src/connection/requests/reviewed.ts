declare const proof: unique symbol

/**
 * Proof that our own view has shown the user what is signed, so that a device signs without another
 * review. Only this file makes it, and no entry point of the package exports it: a page can
 * neither name nor construct it.
 */
export type Reviewed = { readonly [proof]: true }

/** The proof that the functions for our own views pass on. */
export const reviewedByView = Object.freeze({}) as Reviewed
