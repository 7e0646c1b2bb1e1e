import { LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import { type FrameChain, findChain, readChains } from '../chains.ts'
import { prepareWallet } from '../flows/prepareWallet.ts'
import type { HostLine } from '../host/hostConnection.ts'
import type { Session } from '../session/session.ts'
import type { Parts } from './createHandlers.ts'

const consentKey = (origin: string) => `consent ${origin}`

/** The account and the network in use, as far as the page at `origin` may know them. */
export type Account = {
  /** Whoever is signed in: from now on whom the page knows. Throws SIGNED_OUT. */
  begin(): Promise<SignedIn>
  /** Whom the page knows. Throws SIGNED_OUT, and tells the page, where another tab has signed in or out meanwhile. */
  signedIn(): Promise<SignedIn>
  hasConsent(): Promise<boolean>
  consent(): Promise<void>
  withdraw(): Promise<void>
  /** The wallet's addresses; whoever has none yet is asked to set it up. */
  wallet(signal: AbortSignal): Promise<WalletAddresses>
  /** The addresses, where the page may know them. Asks nobody to say so. */
  known(signal: AbortSignal): Promise<WalletAddresses | undefined>
  /** The network of an id, else the one in use or the first of `namespace`. Throws CHAIN_NOT_SUPPORTED. */
  chainOf(id: string | number | undefined, namespace?: string): FrameChain
  use(chain: FrameChain): void
  /** After the session has ended. */
  forget(): void
}

type SignedIn = NonNullable<Awaited<ReturnType<Session['read']>>>

/** `abort` ends what a person has to decide. */
export function openAccount(parts: Parts, line: HostLine, abort: () => void): Account {
  const { facts, store, session } = parts
  const { origin } = line
  const chains = readChains(facts)
  let current: FrameChain | undefined = chains[0]
  // Of the session that the page knows: it stands for the browser and the person.
  let deviceId: string | undefined
  let ready: Promise<WalletAddresses> | undefined

  const begin = async () => {
    const found = await session.read()
    if (!found) throw new LatchkeyError('SIGNED_OUT')
    if (found.deviceId !== deviceId) {
      if (deviceId !== undefined) abort()
      ready = undefined
    }
    deviceId = found.deviceId
    return found
  }
  const signedIn = async () => {
    if (deviceId === undefined) return begin()
    const found = await session.read()
    if (found?.deviceId === deviceId) return found
    abort()
    line.emit('FRAME_SIGNED_OUT', {})
    throw new LatchkeyError('SIGNED_OUT')
  }
  // Each person's own.
  const hasConsent = async () => (await store.get(consentKey(origin))) === (await signedIn()).userId
  const wallet = async (signal: AbortSignal) => {
    await signedIn()
    ready ??= prepareWallet(parts, { origin, signal })
    const asked = ready
    const addresses = await asked.catch((error: unknown) => {
      if (asked === ready) ready = undefined
      throw error
    })
    await signedIn()
    if (asked !== ready) throw new LatchkeyError('SIGNED_OUT')
    return addresses
  }
  return {
    begin,
    signedIn,
    hasConsent,
    consent: async () => store.put(consentKey(origin), (await signedIn()).userId),
    withdraw: () => store.delete(consentKey(origin)),
    wallet,
    known: async (signal) => {
      if (deviceId === undefined && !(await session.read())) return undefined
      return (await hasConsent()) ? wallet(signal) : undefined
    },
    chainOf: (id, namespace) => {
      if (id !== undefined) return findChain(chains, id)
      const found =
        namespace === undefined || current?.namespace === namespace
          ? current
          : chains.find((chain) => chain.namespace === namespace)
      if (!found) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      return found
    },
    use: (chain) => {
      current = chain
    },
    forget: () => {
      deviceId = undefined
      ready = undefined
    },
  }
}
