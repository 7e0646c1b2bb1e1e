import { type ChainId, isError } from '@latchkey/wire'
import type { Outbound } from '../outbound/createOutbound.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import type { Services } from '../services.ts'
import { type Avatar, checkAvatar } from './checkAvatar.ts'
import { ensChains } from './ensChains.ts'
import { nameOf } from './nameOf.ts'
import type { Ens } from './readRecords.ts'
import { type Found, type Remembered, remember } from './remember.ts'
import { resolveName } from './resolveName.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'kv' | 'clock' | 'log' | 'config'>

/** What is known of an account: its name and avatar; nulls when it goes by none. */
export type AccountIdentity = { readonly name: string | null; readonly avatar: Avatar | null }

/** What is behind a name, for one network. */
export type NameIdentity = { readonly address: Hex | null; readonly avatar: Avatar | null }

/** Names of the configured chains. Throws RPC_UNAVAILABLE where a chain that counts is away. */
export type Identities = {
  /** Of a lower-case address. */
  ofAddress(address: Hex): Promise<Remembered<AccountIdentity>>
  /** Of a normalised name, for payments on `chainId`. */
  ofName(name: string, chainId: ChainId | undefined): Promise<Remembered<NameIdentity>>
}

const knownSeconds = 300
// A server that a resolver names did not answer: soon asked again, but not by everybody.
const failedSeconds = 30

export function createIdentities(
  services: Needs,
  { upstreams, outbound }: { readonly upstreams: Upstreams; readonly outbound: Outbound },
): Identities {
  const { config } = services
  const rememberAddress = remember<AccountIdentity>(services, 'identity')
  const rememberName = remember<NameIdentity>(services, 'identity-name')
  const ensOf = (chainId: ChainId): Ens[] => {
    const { ens } = config.chains[chainId] ?? {}
    return ens ? [{ chainId, registry: ens.registry as Hex, upstreams, outbound }] : []
  }
  const avatarOf = async (ens: Ens, text: string | undefined, owner: Hex | undefined) =>
    text === undefined ? null : ((await checkAvatar({ config, ens }, { text, owner })) ?? null)

  const findNamed = async (address: Hex): Promise<AccountIdentity> => {
    for (const ens of ensChains(config, undefined).flatMap(ensOf)) {
      const named = await nameOf(ens, address)
      if (named) return { name: named.name, avatar: await avatarOf(ens, named.avatar, address) }
    }
    return { name: null, avatar: null }
  }
  const findNamedBy = async (name: string, chainId: ChainId | undefined): Promise<NameIdentity> => {
    for (const ens of ensChains(config, chainId).flatMap(ensOf)) {
      const records = await resolveName(ens, { name, chainId })
      const address = records.chainAddress ?? records.address
      if (address === undefined) continue
      return { address, avatar: await avatarOf(ens, records.avatar, records.address ?? address) }
    }
    return { address: null, avatar: null }
  }
  return {
    ofAddress: (address) =>
      rememberAddress(address, () => untold(findNamed(address), { name: null, avatar: null })),
    ofName: (name, chainId) =>
      rememberName(`${chainId ?? ''}:${name}`, () =>
        untold(findNamedBy(name, chainId), { address: null, avatar: null }),
      ),
  }
}

async function untold<Value>(search: Promise<Value>, none: Value): Promise<Found<Value>> {
  try {
    return { value: await search, ttlSeconds: knownSeconds }
  } catch (error) {
    if (!isError(error, 'OUTBOUND_FAILED') && !isError(error, 'OUTBOUND_REFUSED')) throw error
    return { value: none, ttlSeconds: failedSeconds }
  }
}
