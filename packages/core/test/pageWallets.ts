import type { Namespace } from '@latchkey/wire'
import { encodeAddress } from '@latchkey/wire/polkadot'
import {
  bitcoin,
  latchkeyOne,
  type Network,
  polkadot as polkadotNetwork,
  solanaDevnet,
} from '../src/networks.ts'
import * as bitcoinWallets from './bitcoinWallets.ts'
import { alice, bob, createFakeWallet } from './fakeWallet.ts'
import * as injected from './injectedWallet.ts'
import * as standard from './standardWallet.ts'

/** A wallet that injects itself into a page, with the interface of its namespace. */
export type PageWallet = {
  connectorId: string
  register(page: EventTarget & { injectedWeb3?: unknown }): void
  /** Allows exactly these addresses from now on, and notifies the page. */
  allow(addresses: readonly string[]): void
}

/** For each namespace: a network, two addresses of its wallet there, and the wallet's factory. */
export const places: Readonly<
  Record<
    Namespace,
    { network: Network; addresses: readonly [string, string]; create(): PageWallet }
  >
> = {
  eip155: { network: latchkeyOne, addresses: [alice, bob], create: createEvmWallet },
  solana: {
    network: solanaDevnet,
    addresses: [standard.createKey(1).address, standard.createKey(2).address],
    create: createSolanaWallet,
  },
  polkadot: {
    network: polkadotNetwork,
    addresses: [
      encodeAddress(injected.createKey(1).publicKey, 0),
      encodeAddress(injected.createKey(2).publicKey, 0),
    ],
    create: createPolkadotWallet,
  },
  bip122: {
    network: bitcoin,
    addresses: [bitcoinWallets.payment.address, bitcoinWallets.ordinals.address],
    create: createBitcoinWallet,
  },
}

/** EIP-6963 and EIP-1193. */
function createEvmWallet(): PageWallet {
  const wallet = createFakeWallet()
  const detail = { info: { name: 'Earth Wallet', rdns: 'com.earth' }, provider: wallet }
  return {
    connectorId: 'com.earth',
    register(page) {
      const announce = () =>
        page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
      page.addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    allow(addresses) {
      wallet.accounts = addresses
      wallet.emit('accountsChanged', addresses)
    },
  }
}

/** The Wallet Standard's features of Solana. */
function createSolanaWallet(): PageWallet {
  const { wallet, register, emit } = standard.createStandardWallet()
  return {
    connectorId: 'solana:Sun Wallet',
    register,
    allow(addresses) {
      const chains = ['solana:devnet']
      const accounts = addresses.map((address) => ({ address, chains, features: [] }))
      wallet.accounts = accounts
      Object.assign(wallet.features['standard:connect'] ?? {}, {
        connect: async () => ({ accounts: wallet.accounts }),
      })
      emit({ accounts })
    },
  }
}

/** `injectedWeb3`. */
function createPolkadotWallet(): PageWallet {
  const { wallet, emit } = injected.createInjectedWallet()
  return {
    connectorId: 'polkadot:talisman',
    register(page) {
      page.injectedWeb3 = { talisman: wallet }
    },
    allow: (addresses) => emit(addresses.map((address) => ({ address, type: 'sr25519' }))),
  }
}

/** The Wallet Standard's features of Bitcoin. */
function createBitcoinWallet(): PageWallet {
  const behavior = bitcoinWallets.createBehavior()
  behavior.addresses = [bitcoinWallets.payment]
  const { register, change } = bitcoinWallets.createStandardWallet(behavior)
  return {
    connectorId: 'bip122:Stone Wallet',
    register,
    allow(addresses) {
      behavior.addresses = addresses.map((address) => ({ address, publicKey: '' }))
      change()
    },
  }
}
