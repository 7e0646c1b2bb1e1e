import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { walletRealm } from './moves.ts'
import { epoch, hpkeSealed, newFactor, publicKey, randomId } from './vaultShapes.ts'

/**
 * `POST /api/recovery/shares`: the recovery split of the wallet in `realm`, otherwise of the one in
 * use, sealed to the calling device. Needs nothing but a login. 3 a day; a device that holds a
 * wallet which is not in use may ask as often as for its share.
 */
export const recoveryShares = {
  method: 'POST',
  path: '/api/recovery/shares',
  body: z.strictObject({ deviceKey: publicKey, realm: z.optional(walletRealm) }),
  result: z.object({ epoch, sealed: hpkeSealed, sealedRecoveryShare: hpkeSealed }),
} as const satisfies Route

/**
 * `POST /api/recovery/factors/add`: needs a recent step-up, `add KIND`. 409 unless the wallet in
 * use is `walletId`.
 */
export const addFactor = {
  method: 'POST',
  path: '/api/recovery/factors/add',
  body: z.strictObject({ factor: newFactor, walletId: z.optional(randomId) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/recovery/factors/remove`: needs a recent step-up, `remove ID`; the last factor stays
 * (409).
 */
export const removeFactor = {
  method: 'POST',
  path: '/api/recovery/factors/remove',
  body: z.strictObject({ id: randomId }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/start`: after a login of purpose `recovery`, whose code is not that
 * of a login. A mail reports it, and devices that hold the wallet list it. `secondsLeft`: 24 h
 * while another device lives, else 0. A request of the same device that nobody has stopped
 * continues without another code. Once somebody has refused it, nobody can ask again for a week.
 * The wallet is the one in `realm`, otherwise the one in use.
 */
export const startOperatorRecovery = {
  method: 'POST',
  path: '/api/recovery/operator/start',
  body: z.strictObject({ realm: z.optional(walletRealm) }),
  result: z.object({ id: randomId, secondsLeft: z.number() }),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/release`: the recovery key sealed to the calling device, if nobody
 * has refused the request.
 */
export const releaseOperatorRecovery = {
  method: 'POST',
  path: '/api/recovery/operator/release',
  body: z.strictObject({ id: randomId, deviceKey: publicKey }),
  result: z.discriminatedUnion('status', [
    z.object({ status: z.literal('waiting'), secondsLeft: z.number() }),
    z.object({ status: z.literal('released'), sealed: hpkeSealed }),
  ]),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/list`: what other browsers have asked of the operator and nobody has
 * stopped, for a browser that holds the wallet: by the proof of its key, without a session. `name`
 * as `Firefox on Linux`. `readyAtMs`: when it opens, in milliseconds since 1970.
 */
export const listOperatorRecoveries = {
  method: 'POST',
  path: '/api/recovery/operator/list',
  body: z.strictObject({}),
  result: z.object({
    recoveries: z.array(z.object({ id: randomId, name: z.string(), readyAtMs: z.number() })),
  }),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/cancel`: refuses all pending requests for the wallet of recovery
 * `id`, from a browser that holds it: by the proof of its key, without a session. Older frames send
 * no `id` and mean every wallet they hold.
 */
export const cancelOperatorRecovery = {
  method: 'POST',
  path: '/api/recovery/operator/cancel',
  body: z.strictObject({ id: z.optional(randomId) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/undo`: refuses all pending requests by the link in a mail,
 * `/undo#recovery=…`. No proof: it opens anywhere.
 */
export const cancelOperatorRecoveryByLink = {
  method: 'POST',
  path: '/api/recovery/operator/undo',
  body: z.strictObject({ secret: randomId }),
  result: z.object({}),
} as const satisfies Route
