import type { ActivityTransfer } from '../activity.ts'
import type { FullBlock } from './readBlocks.ts'

/**
 * How often in a row the chain's nodes have refused `trace_block`, and `debug_traceBlockByNumber`,
 * which is requested if they do not have the first. For blocks up to `untraceable`, the nodes do
 * not have the state that the second method needs.
 */
export type TracePace = { refusedTraces: number; refusedCallTraces: number; untraceable: number }

/** Blocks whose traces are read. */
export type TracedBlocks = readonly FullBlock[]

/** A payment of a contract in a transaction, at its index in the block. */
export type PlacedPayment = { readonly index: number; readonly payment: ActivityTransfer }
