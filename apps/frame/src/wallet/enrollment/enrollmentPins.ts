import { LatchkeyError, walletAddresses } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Vault } from '../vault.ts'

const device = z.strictObject({ id: z.string(), key: z.string() })
const meeting = z.strictObject({
  oldDevice: device,
  oldNonce: z.string(),
  addresses: walletAddresses,
})

/** What a new device keeps of its ask. `meeting` is the first answer it heard: another one ends the ask. */
const asked = z.strictObject({
  v: z.literal(2),
  askId: z.string(),
  newDevice: device,
  commitment: z.string(),
  newNonce: z.string(),
  meeting: z.optional(meeting),
  /** A person has said that both screens show the same words. */
  isSame: z.boolean(),
})
export type OutgoingPin = z.infer<typeof asked>

/** What an old device keeps of the one new device it has met. */
const met = z.strictObject({
  v: z.literal(2),
  askId: z.string(),
  newDevice: device,
  commitment: z.string(),
  oldDevice: device,
  oldNonce: z.string(),
  /** Once the new device has opened its commitment. */
  newNonce: z.optional(z.string()),
})
export type IncomingPin = z.infer<typeof met>

const keys = { asked: 'enrolment asked', met: 'enrolment met', tries: 'enrolment tries' } as const
const tries = z.array(z.number())
const maxTries = 10
const dayMs = 24 * 3_600_000

/** Nothing was handed over, and nothing is wrong with a wallet that is here. */
export const enrollmentStopped = (cause?: unknown) =>
  new LatchkeyError('ENROLMENT_STOPPED', { cause })

/** One step of an enrolment at a time in this browser. */
export const withEnrollmentLock = <T>(vault: Vault, work: () => Promise<T>): Promise<T> =>
  vault.lock('latchkey enrolment', work)

/** This browser's own ask of that id. Throws `ENROLMENT_STOPPED` when there is another or none. */
export async function readOutgoingPin({ store }: Vault, askId: string): Promise<OutgoingPin> {
  const { data } = asked.safeParse(await store.get(keys.asked))
  if (data?.askId !== askId) throw enrollmentStopped()
  return data
}

export const writeOutgoingPin = ({ store }: Vault, pin: OutgoingPin): Promise<void> =>
  store.put(keys.asked, asked.parse(pin))

/** The new device that this one has met, if it is that of `askId`. */
export async function findIncomingPin(
  { store }: Vault,
  askId: string,
): Promise<IncomingPin | undefined> {
  const { data } = met.safeParse(await store.get(keys.met))
  return data?.askId === askId ? data : undefined
}

export const writeIncomingPin = ({ store }: Vault, pin: IncomingPin): Promise<void> =>
  store.put(keys.met, met.parse(pin))

/** Ends what was begun here: nothing that comes later belongs to it. */
export const dropPin = ({ store }: Vault, side: 'asked' | 'met'): Promise<void> =>
  store.delete(keys[side])

/**
 * Counts a try: each is a guess at the words for a server in between, and each takes a person. Throws `RATE_LIMITED` after
 * ten in a day without one that a person found right.
 */
export async function countAttempt({ store }: Vault): Promise<void> {
  const nowMs = Date.now()
  const { data = [] } = tries.safeParse(await store.get(keys.tries))
  const recent = data.filter((atMs) => nowMs - atMs < dayMs)
  const [first = nowMs] = recent
  const seconds = Math.ceil((first + dayMs - nowMs) / 1_000)
  if (recent.length >= maxTries) throw new LatchkeyError('RATE_LIMITED', { data: { seconds } })
  await store.put(keys.tries, [...recent, nowMs])
}

/** After a person found the words right. */
export const resetAttempts = ({ store }: Vault): Promise<void> => store.delete(keys.tries)
