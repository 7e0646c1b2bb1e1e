import { decodeSs58Address, encodeAddress, getPrefix } from '@latchkey/wire/polkadot'
import { accounts } from '../accounts.ts'
import { bitcoinAccounts, bitcoinChains } from '../bitcoin/accounts.ts'
import type { Config } from '../config.ts'
import { polkadotAccounts } from '../polkadot/accounts.ts'
import { solanaAccounts, solanaChains } from '../solana/accounts.ts'
import {
  bitcoinMethods,
  methods,
  polkadotMethods,
  solanaMethods,
  toChainId,
} from './capabilities.ts'

/** A network of this wallet; `accounts` are the addresses of its accounts there, by index. */
export type WalletNetwork = { id: string; name: string; accounts: readonly string[] }

/**
 * A namespace in which the wallet has networks, with labels for the methods that it supports there.
 */
type WalletNamespace = {
  namespace: string
  methods: ReadonlyMap<string, string>
  networks: readonly WalletNetwork[]
}

/** The namespaces of this wallet. */
export const getNamespaces = (config: Config): readonly WalletNamespace[] =>
  [
    {
      namespace: 'eip155',
      methods,
      networks: config.chains.map(({ chainId, name }) => {
        return { id: toChainId(chainId), name: `${name} (${chainId})`, accounts }
      }),
    },
    {
      namespace: 'solana',
      methods: solanaMethods,
      networks: config.solana
        ? [{ id: solanaChains[1], name: config.solana.name, accounts: solanaAccounts }]
        : [],
    },
    {
      namespace: 'polkadot',
      methods: polkadotMethods,
      networks: config.polkadot.map(({ id, name }) => {
        return { id, name, accounts: polkadotAccounts.map((address) => toNetwork(address, id)) }
      }),
    },
    {
      namespace: 'bip122',
      methods: bitcoinMethods,
      networks: config.bitcoin
        ? [{ id: bitcoinChains[1], name: config.bitcoin.name, accounts: paymentAddresses }]
        : [],
    },
  ].filter(({ networks }) => networks.length > 0)

const paymentAddresses = bitcoinAccounts.map(({ payment }) => payment)

/** Encodes an account's address with the prefix of a Polkadot network. */
const toNetwork = (address: string, id: string) =>
  encodeAddress(
    decodeSs58Address(address) ?? new Uint8Array(32),
    getPrefix(id as `polkadot:${string}`),
  )

/** All networks of this wallet. */
export const getNetworks = (config: Config): readonly WalletNetwork[] =>
  getNamespaces(config).flatMap(({ networks }) => networks)

/** The network of this wallet with a CAIP-2 id, else undefined. */
export const findNetwork = (config: Config, id: string): WalletNetwork | undefined =>
  getNetworks(config).find((network) => network.id === id)

/** CAIP-10 accounts of these indexes on each of these networks. */
export const accountsOn = (
  networks: readonly WalletNetwork[],
  indexes: readonly number[],
): string[] =>
  networks.flatMap(({ id, accounts: own }) => indexes.map((index) => `${id}:${own[index]}`))
