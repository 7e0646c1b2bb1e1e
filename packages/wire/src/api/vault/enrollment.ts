import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { walletRealm } from './moves.ts'
import { prepareWalletRoute } from './vault.ts'
import {
  bytes32,
  byteText,
  deviceId,
  hpkeSealed,
  manifest,
  publicKey,
  randomIdShape,
  walletAddresses,
} from './vaultShapes.ts'

const nonce = byteText(16, 16)

/**
 * Version of the exchange from which both screens derive the words. A party that does not send it
 * is outdated and has to start again.
 */
export const enrollmentVersion = 2

/**
 * `POST /api/enroll/ask`: a new device requests the wallet in `realm`, by default the wallet in
 * use, from the old devices. `commitment` fixes its nonce before it receives theirs. A page without
 * `v` is outdated and gets 400.
 */
export const askEnrollmentRoute = {
  method: 'POST',
  path: '/api/enroll/ask',
  body: z.strictObject({
    v: z.optional(z.int()),
    askId: randomIdShape,
    deviceKey: publicKey,
    commitment: bytes32,
    realm: z.optional(walletRealm),
  }),
  result: z.object({ secondsLeft: z.number() }),
} as const satisfies Route

/**
 * `POST /api/enroll/asks`: the pending requests of new devices, for an old device that holds the
 * wallet.
 */
export const listEnrollmentsRoute = {
  method: 'POST',
  path: '/api/enroll/asks',
  body: z.strictObject({}),
  result: z.object({
    asks: z.array(
      z.object({
        askId: randomIdShape,
        deviceId,
        name: z.string(),
        deviceKey: publicKey,
        commitment: bytes32,
        /** The realm of the requested wallet, if it is not the user's first wallet. */
        realm: z.optional(walletRealm),
        /** The new device's nonce, after it has received ours. */
        nonce: z.optional(nonce),
        secondsLeft: z.number(),
      }),
    ),
  }),
} as const satisfies Route

/**
 * `POST /api/enroll/meet`: the old device's nonce and key. Only the first device to respond is
 * accepted. A request without a key is from an older page.
 */
export const meetEnrollmentRoute = {
  method: 'POST',
  path: '/api/enroll/meet',
  body: z.strictObject({ askId: randomIdShape, nonce, deviceKey: z.optional(publicKey) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/enroll/reveal`: the new device opens its commitment, after it has received the other
 * nonce.
 */
export const revealEnrollmentRoute = {
  method: 'POST',
  path: '/api/enroll/reveal',
  body: z.strictObject({ askId: randomIdShape, nonce }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/enroll/answer`: sent after the user has compared the three words. `change` holds the
 * new device's only slot.
 */
export const answerEnrollmentRoute = {
  method: 'POST',
  path: '/api/enroll/answer',
  body: z.strictObject({
    askId: randomIdShape,
    change: z.optional(
      z.omit(prepareWalletRoute.body, { seal: true, factors: true, deviceKey: true }),
    ),
  }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/enroll/poll`: the progress of the new device's request. With `approved` its change can
 * be committed.
 */
export const pollEnrollmentRoute = {
  method: 'POST',
  path: '/api/enroll/poll',
  body: z.strictObject({ askId: randomIdShape }),
  result: z.discriminatedUnion('status', [
    z.object({ status: z.literal('waiting') }),
    z.object({
      status: z.literal('met'),
      /** Of the old device: its nonce, its id and its key. */
      nonce,
      deviceId,
      deviceKey: publicKey,
      addresses: walletAddresses,
    }),
    z.object({
      status: z.literal('approved'),
      changeId: randomIdShape,
      manifest,
      sealedRecoveryShare: hpkeSealed,
      sealedDeviceShare: hpkeSealed,
    }),
    z.object({ status: z.literal('refused') }),
  ]),
} as const satisfies Route

/**
 * `POST /api/devices/list`: devices that hold a split, the caller's first. Times in milliseconds
 * since 1970.
 */
export const listDevicesRoute = {
  method: 'POST',
  path: '/api/devices/list',
  body: z.strictObject({}),
  result: z.object({
    devices: z.array(
      z.object({
        id: deviceId,
        name: z.string(),
        current: z.boolean(),
        deviceKey: publicKey,
        addedAtMs: z.number(),
        lastUsedAtMs: z.number(),
      }),
    ),
  }),
} as const satisfies Route

/** `POST /api/devices/rename`: from a device that holds the wallet. */
export const renameDeviceRoute = {
  method: 'POST',
  path: '/api/devices/rename',
  body: z.strictObject({ id: deviceId, name: z.string().check(z.minLength(1), z.maxLength(64)) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/devices/revoke`: deletes a device's shares and sessions before it responds. `manifest`
 * is the signed device list without it; 409 if it is not the next manifest.
 */
export const revokeDeviceRoute = {
  method: 'POST',
  path: '/api/devices/revoke',
  body: z.strictObject({ id: deviceId, manifest: z.optional(manifest) }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/devices/sign`: stores the device list without removed devices. From a device that
 * holds the wallet.
 */
export const signDevicesRoute = {
  method: 'POST',
  path: '/api/devices/sign',
  body: z.strictObject({ manifest }),
  result: z.object({}),
} as const satisfies Route
