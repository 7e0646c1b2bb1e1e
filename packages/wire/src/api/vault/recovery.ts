import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { walletRealm } from './moves.ts'
import { epoch, hpkeSealed, newFactor, publicKey, randomIdShape } from './vaultShapes.ts'

/**
 * `POST /api/recovery/shares`: the recovery split of the wallet in `realm`, by default of the
 * wallet in use, sealed to the calling device. Requires only a login. 3 per day; a device that
 * holds a wallet that is not in use has the limit of share requests instead.
 */
export const recoverySharesRoute = {
  method: 'POST',
  path: '/api/recovery/shares',
  body: z.strictObject({ deviceKey: publicKey, realm: z.optional(walletRealm) }),
  result: z.object({ epoch, sealed: hpkeSealed, sealedRecoveryShare: hpkeSealed }),
} as const satisfies Route

/**
 * `POST /api/recovery/factors/add`: requires a recent step-up, `add KIND`, except for the first
 * factor of a wallet that is less than an hour old. 409 unless the wallet in use is `walletId`.
 */
export const addFactorRoute = {
  method: 'POST',
  path: '/api/recovery/factors/add',
  body: z.strictObject({ factor: newFactor, walletId: z.optional(randomIdShape) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/recovery/factors/remove`: requires a recent step-up, `remove ID`. The last factor
 * cannot be removed (409).
 */
export const removeFactorRoute = {
  method: 'POST',
  path: '/api/recovery/factors/remove',
  body: z.strictObject({ id: randomIdShape }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/start`: after a login of purpose `recovery`, whose code differs from
 * a login's code. A mail reports it, and devices that hold the wallet list it. `secondsLeft`: 24 h
 * while the user has another active device, else 0. A pending request of the same device continues
 * without another code. After a refusal, no new request is possible for a week. The wallet is the
 * wallet in `realm`, by default the wallet in use.
 */
export const startOperatorRecoveryRoute = {
  method: 'POST',
  path: '/api/recovery/operator/start',
  body: z.strictObject({ realm: z.optional(walletRealm) }),
  result: z.object({ id: randomIdShape, secondsLeft: z.number() }),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/release`: the recovery key sealed to the calling device, if the
 * request was not refused.
 */
export const releaseOperatorRecoveryRoute = {
  method: 'POST',
  path: '/api/recovery/operator/release',
  body: z.strictObject({ id: randomIdShape, deviceKey: publicKey }),
  result: z.discriminatedUnion('status', [
    z.object({ status: z.literal('waiting'), secondsLeft: z.number() }),
    z.object({ status: z.literal('released'), sealed: hpkeSealed }),
  ]),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/list`: other browsers' pending requests to the operator, for a
 * browser that holds the wallet: with a proof by its key, without a session. `name`: for example
 * `Firefox on Linux`. `readyAtMs`: when the request can be released, in milliseconds since 1970.
 */
export const listOperatorRecoveriesRoute = {
  method: 'POST',
  path: '/api/recovery/operator/list',
  body: z.strictObject({}),
  result: z.object({
    recoveries: z.array(z.object({ id: randomIdShape, name: z.string(), readyAtMs: z.number() })),
  }),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/cancel`: refuses all pending requests for the wallet of recovery
 * `id`, from a browser that holds it: with a proof by its key, without a session. Older frames send
 * no `id`, which stands for every wallet they hold.
 */
export const cancelOperatorRecoveryRoute = {
  method: 'POST',
  path: '/api/recovery/operator/cancel',
  body: z.strictObject({ id: z.optional(randomIdShape) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/undo`: refuses all pending requests by the link in a mail,
 * `/undo#recovery=…`. No proof: it opens anywhere.
 */
export const cancelOperatorRecoveryByLinkRoute = {
  method: 'POST',
  path: '/api/recovery/operator/undo',
  body: z.strictObject({ secret: randomIdShape }),
  result: z.object({}),
} as const satisfies Route
