import { simulateCalls } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { postWithoutProof } from '../../pages/postWithoutProof.ts'

/** What the nodes of a network say that calls would do. */
export type SimulationAnswer = z.output<(typeof simulateCalls)['result']>

/** Has our server run calls without sending them. Throws its errors, OFFLINE and ANSWER_INVALID. */
export type FetchSimulation = (
  given: z.input<(typeof simulateCalls)['body']>,
) => Promise<SimulationAnswer>

/** See the type. */
export const fetchSimulation: FetchSimulation = (given) => postWithoutProof(simulateCalls, given)
