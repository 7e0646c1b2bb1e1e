import { simulateCallsRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { postWithoutProof } from '../../pages/postWithoutProof.ts'

/** The simulated outcomes of calls, one per node. */
export type SimulationResponse = z.output<(typeof simulateCallsRoute)['result']>

/**
 * Requests a simulation from our server; nothing is sent. Throws the server's errors, OFFLINE and
 * ANSWER_INVALID.
 */
export type FetchSimulation = (
  given: z.input<(typeof simulateCallsRoute)['body']>,
) => Promise<SimulationResponse>

export const fetchSimulation: FetchSimulation = (given) =>
  postWithoutProof(simulateCallsRoute, given)
