import { LatchkeyError, walletAddresses, walletRealm } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { WalletVault } from '../vault.ts'

const device = z.strictObject({ id: z.string(), key: z.string() })
const meeting = z.strictObject({
  oldDevice: device,
  oldNonce: z.string(),
  addresses: walletAddresses,
})

/**
 * The new device's stored request. `meeting` (the stored name) is the first answer; a different
 * answer ends the request.
 */
const outgoingPin = z.strictObject({
  v: z.literal(2),
  askId: z.string(),
  newDevice: device,
  commitment: z.string(),
  newNonce: z.string(),
  /** The realm of the wallet to enroll for; absent in requests of older frames. */
  realm: z.optional(walletRealm),
  meeting: z.optional(meeting),
  /** The user has confirmed that both screens show the same words. */
  isSame: z.boolean(),
})
export type OutgoingPin = z.infer<typeof outgoingPin>

/** The only new device that an old device has met, stored by the old device. */
const incomingPin = z.strictObject({
  v: z.literal(2),
  askId: z.string(),
  newDevice: device,
  commitment: z.string(),
  oldDevice: device,
  oldNonce: z.string(),
  /**
   * The realm of the wallet that the new device requests; in pins of older frames, the wallet in
   * use.
   */
  realm: z.optional(walletRealm),
  /** Set once the new device has opened its commitment. */
  newNonce: z.optional(z.string()),
})
export type IncomingPin = z.infer<typeof incomingPin>

const keys = { asked: 'enrolment asked', met: 'enrolment met', tries: 'enrolment tries' } as const
const tries = z.array(z.number())
const maxTries = 10
const dayMs = 24 * 3_600_000

/** Nothing was handed over, and a wallet in this browser is not affected. */
export const enrollmentStopped = (cause?: unknown) =>
  new LatchkeyError('ENROLMENT_STOPPED', { cause })

/** Runs one step of an enrollment at a time in this browser. */
export const withEnrollmentLock = <T>(vault: WalletVault, work: () => Promise<T>): Promise<T> =>
  vault.lock('latchkey enrolment', work)

/**
 * This browser's own request with that id. Throws `ENROLMENT_STOPPED` if there is another request
 * or no request.
 */
export async function readOutgoingPin({ store }: WalletVault, askId: string): Promise<OutgoingPin> {
  const { data } = outgoingPin.safeParse(await store.get(keys.asked))
  if (data?.askId !== askId) throw enrollmentStopped()
  return data
}

export const writeOutgoingPin = ({ store }: WalletVault, pin: OutgoingPin): Promise<void> =>
  store.put(keys.asked, outgoingPin.parse(pin))

/** The new device that this device has met, if its request is `askId`. */
export async function findIncomingPin(
  { store }: WalletVault,
  askId: string,
): Promise<IncomingPin | undefined> {
  const { data } = incomingPin.safeParse(await store.get(keys.met))
  return data?.askId === askId ? data : undefined
}

export const writeIncomingPin = ({ store }: WalletVault, pin: IncomingPin): Promise<void> =>
  store.put(keys.met, incomingPin.parse(pin))

/** Ends the enrollment in this browser: later messages no longer belong to it. */
export const dropPin = ({ store }: WalletVault, side: 'asked' | 'met'): Promise<void> =>
  store.delete(keys[side])

/**
 * Counts an attempt. Each attempt gives a server in the middle one guess at the words, and needs
 * the user. Throws `RATE_LIMITED` after ten attempts in a day without a confirmation.
 */
export async function countAttempt({ store }: WalletVault): Promise<void> {
  const nowMs = Date.now()
  const { data = [] } = tries.safeParse(await store.get(keys.tries))
  const recent = data.filter((atMs) => nowMs - atMs < dayMs)
  const [first = nowMs] = recent
  const seconds = Math.ceil((first + dayMs - nowMs) / 1_000)
  if (recent.length >= maxTries) throw new LatchkeyError('RATE_LIMITED', { data: { seconds } })
  await store.put(keys.tries, [...recent, nowMs])
}

/** Call it after the user has confirmed the words. */
export const resetAttempts = ({ store }: WalletVault): Promise<void> => store.delete(keys.tries)
