import { LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import { type FrameChain, findChain, readChains } from '../chains.ts'
import type { Parts } from '../createFrame.ts'
import { prepareWallet } from '../flows/prepareWallet.ts'
import type { Session } from '../session/session.ts'

const consentKey = (origin: string) => `consent ${origin}`

/** The account and the network in use, as far as the page at `origin` may know them. */
export type Account = {
  /** Throws SIGNED_OUT. */
  signedIn(): Promise<NonNullable<Awaited<ReturnType<Session['read']>>>>
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
  /** After another session began, or none. */
  forget(): void
}

export function openAccount(parts: Parts, origin: string): Account {
  const { facts, store, session } = parts
  const chains = readChains(facts)
  let current: FrameChain | undefined = chains[0]
  let ready: Promise<WalletAddresses> | undefined

  const hasConsent = async () => (await store.get(consentKey(origin))) === true
  const wallet = (signal: AbortSignal) => {
    ready ??= prepareWallet(parts, { origin, signal }).catch((error: unknown) => {
      ready = undefined
      throw error
    })
    return ready
  }
  return {
    signedIn: async () => {
      const found = await session.read()
      if (!found) throw new LatchkeyError('SIGNED_OUT')
      return found
    },
    hasConsent,
    consent: () => store.put(consentKey(origin), true),
    withdraw: () => store.delete(consentKey(origin)),
    wallet,
    known: async (signal) => {
      if (!(await session.read()) || !(await hasConsent())) return undefined
      return wallet(signal)
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
      ready = undefined
    },
  }
}
