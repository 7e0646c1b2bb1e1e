import type { Rolldown } from 'vite'

/**
 * The chunks of a page that imports our sources, each with all that it imports: what runs before the button works, the
 * errors that all later code shares, what an opening modal draws first, what asks the server, and what several views share.
 * Every other view stays a chunk of its own.
 * Left to itself, the bundler makes a file of every module that two chunks share, and each file costs a request.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[]
