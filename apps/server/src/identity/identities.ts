import { type ChainId, isError } from '@latchkey/wire'
import type { Hex } from '../evm/hex.ts'
import type { Pictures } from '../media/pictures.ts'
import {
  findNames,
  findName as findStoredName,
  getNameAddress,
  type NameStore,
  type StoredName,
} from '../names/nameStore.ts'
import { parseName } from '../names/parseName.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import type { Services } from '../services.ts'
import { type Avatar, checkAvatar, type NftPicture } from './checkAvatar.ts'
import type { Ens } from './ens.ts'
import { ensChains } from './ensChains.ts'
import { type CachedLookup, createLookupCache, type LookupResult } from './lookupCache.ts'
import { readPrimaryName } from './readPrimaryName.ts'
import { resolveName } from './resolveName.ts'

type IdentitiesDeps = Pick<Services, 'kv' | 'clock' | 'log' | 'config'>

/** The name and avatar of an account, null if not set. */
type AccountIdentity = { readonly name: string | null; readonly avatar: Avatar | null }

/** The address and avatar of a name on one network. */
type NameIdentity = { readonly address: Hex | null; readonly avatar: Avatar | null }

/**
 * Resolves names of the configured chains. Throws RPC_UNAVAILABLE if a chain that counts is
 * unavailable.
 */
export type Identities = {
  /** The identity of a lower-case address. */
  lookUpAddress(address: Hex): Promise<CachedLookup<AccountIdentity>>
  /**
   * The address of a normalized name, for payments on `chainId`. Answers from the cache may be at
   * most `freshMs` old.
   */
  lookUpName(
    name: string,
    chainId: ChainId | undefined,
    freshMs?: number,
  ): Promise<CachedLookup<NameIdentity>>
}

/** The chains, the client for servers that names refer to, and the pictures of NFTs. */
export type IdentityConnections = {
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  readonly nftPicture: NftPicture
  readonly pictures: Pictures
  /** The store of names below our own zones, if there are any. */
  readonly names?: NameStore
}

const knownSeconds = 300
// A server did not answer: retry soon, but not for every request.
const failedSeconds = 30

export function createIdentities(
  services: IdentitiesDeps,
  { upstreams, outbound, nftPicture, pictures, names }: IdentityConnections,
): Identities {
  const { config } = services
  const rememberAddress = createLookupCache<AccountIdentity>(services, 'identity')
  const rememberName = createLookupCache<NameIdentity>(services, 'identity-name')
  const getEns = (chainId: ChainId): Ens[] => {
    const { ens } = config.chains[chainId] ?? {}
    return ens ? [{ chainId, registry: ens.registry as Hex, upstreams, outbound }] : []
  }
  const findAvatar = async (
    ens: Pick<Ens, 'upstreams' | 'outbound'>,
    text: string | undefined,
    owner: Hex,
  ): Promise<LookupResult<Avatar | null>> => {
    if (text === undefined) return known(null)
    try {
      const avatar = await checkAvatar({ config, ens, nftPicture, pictures }, { text, owner })
      return avatar === undefined ? knownBriefly(null) : known(avatar)
    } catch (error) {
      if (!isError(error, 'RPC_UNAVAILABLE')) throw error
      return knownBriefly(null)
    }
  }
  const findAccount = async (address: Hex): Promise<LookupResult<AccountIdentity>> => {
    for (const ens of ensChains(config, undefined).flatMap(getEns)) {
      const primaryName = await readPrimaryName(ens, address)
      if (!primaryName) continue
      const avatar = await findAvatar(ens, primaryName.avatar, address)
      return { ...avatar, value: { name: primaryName.name, avatar: avatar.value } }
    }
    return known(noName)
  }
  const findName = async (
    name: string,
    chainId: ChainId | undefined,
  ): Promise<LookupResult<NameIdentity>> => {
    for (const ens of ensChains(config, chainId).flatMap(getEns)) {
      const records = await resolveName(ens, { name, chainId })
      const address = records.chainAddress ?? records.address
      if (address === undefined) continue
      const avatar = await findAvatar(ens, records.avatar, records.address ?? address)
      return { ...avatar, value: { address, avatar: avatar.value } }
    }
    return known(noAddress)
  }
  const ownName = async (stored: StoredName, owner: Hex) => {
    const avatar = await findAvatar({ upstreams, outbound }, stored.attributes?.avatar, owner)
    return { avatar: avatar.value, atMs: services.clock(), secondsLeft: ownSeconds }
  }
  return {
    async lookUpAddress(address) {
      const found = await rememberAddress(address, () => orNone(findAccount(address), noName))
      if (found.value.name !== null || names === undefined) return found
      const secondsLeft = Math.min(found.secondsLeft, ownSeconds)
      const [stored] = await findNames(names, { owner: address, all: false })
      if (stored === undefined) return { ...found, secondsLeft }
      const { avatar, ...own } = await ownName(stored, address)
      return { ...own, value: { name: stored.name, avatar } }
    },
    async lookUpName(name, chainId, freshMs) {
      if (names === undefined || 'failure' in parseName(config.nameZones, name))
        return rememberName(
          `${chainId ?? ''}:${name}`,
          () => orNone(findName(name, chainId), noAddress),
          freshMs,
        )
      const stored = await findStoredName(names, name)
      const address = stored && getNameAddress(stored, chainId)
      if (stored === undefined || address === undefined)
        return { value: noAddress, atMs: services.clock(), secondsLeft: ownSeconds }
      const { avatar, ...own } = await ownName(stored, stored.owner)
      return { ...own, value: { address, avatar } }
    },
  }
}

/** How long our own names may be cached elsewhere: their owners can change them at any time. */
const ownSeconds = 10

const noName: AccountIdentity = { name: null, avatar: null }
const noAddress: NameIdentity = { address: null, avatar: null }
const known = <Value>(value: Value): LookupResult<Value> => ({ value, ttlSeconds: knownSeconds })
const knownBriefly = <Value>(value: Value): LookupResult<Value> => ({
  value,
  ttlSeconds: failedSeconds,
})

/** If the server of a name does not answer, return no name for a while. */
async function orNone<Value>(search: Promise<LookupResult<Value>>, none: Value) {
  try {
    return await search
  } catch (error) {
    if (!isError(error, 'OUTBOUND_FAILED') && !isError(error, 'OUTBOUND_REFUSED')) throw error
    return knownBriefly(none)
  }
}
