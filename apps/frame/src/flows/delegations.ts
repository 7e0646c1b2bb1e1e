import {
  endDelegationRoute,
  type FramePageFacts,
  isError,
  LatchkeyError,
  readFeeRates,
} from '@latchkey/wire'
import type { Hex } from 'viem'
import type { LoginSession } from '../auth/loginSession.ts'
import { type FrameChain, parseChains } from '../chains.ts'
import type { KeyClient } from '../openKeys.ts'
import type { ReadChain } from '../readChain.ts'
import {
  chooseAccountType,
  followAccountType,
  readAccountType,
  sendAccountType,
} from '../requests/calls/accountType.ts'
import type { CallsAccess } from '../requests/calls/callsAccess.ts'
import { readDelegation } from '../requests/calls/readDelegation.ts'
import type { KeyStore } from '../wallet/keyStore.ts'

/** The account's delegations (EIP-7702), network by network, and whether it uses them. */
export type Delegations = Pick<CallsAccess, 'readType' | 'writeType'> & {
  /** Networks on which the account delegates to our contract. */
  list(): Promise<FrameChain[]>
  /**
   * Ends the delegation by a transaction of the account. If the account cannot pay for it, the
   * operator may send an authorization that ends it. Throws INSUFFICIENT_GAS, RPC_FAILED, and the
   * errors of `endDelegationRoute`.
   */
  end(chain: FrameChain): Promise<void>
}

/**
 * Gas of a transaction with one authorization and no data: 21 000 and 25 000 (EIP-7702), and a
 * reserve.
 */
const gas = 60_000n
const looks = 120
const pauseMs = 500

export function createDelegations(parameters: {
  readonly facts: FramePageFacts
  readonly store: KeyStore
  readonly session: Pick<LoginSession, 'call'>
  readonly read: ReadChain
  readonly keys: Pick<KeyClient, 'do'>
}): Delegations {
  const { facts, store, session, read, keys } = parameters
  const own = { store, session }
  let isChosen = false
  const getStatus = async () => {
    const status = await keys.do('getStatus', {})
    if (status.status !== 'ready') throw new LatchkeyError('WALLET_NOT_ENROLLED')
    return { account: status.addresses.eip155 as Hex, shown: status.accountType }
  }
  const getAccount = async () => (await getStatus()).account
  const isDelegated = async (chain: FrameChain, account: Hex) => {
    try {
      return (await readDelegation({ read, chain }, account)) !== 'none'
    } catch (error) {
      // The account does not delegate to our contract, so there is nothing to turn off.
      if (isError(error, 'SIGNING_REFUSED') || isError(error, 'CHAIN_NOT_SUPPORTED')) return false
      throw error
    }
  }
  const waitUntil = async (isDone: () => Promise<boolean>) => {
    for (let look = 0; look < looks; look++) {
      if (await isDone()) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    throw new LatchkeyError('TIMEOUT')
  }
  /**
   * The signed authorization can only end this delegation, on this network, no matter who sends it.
   */
  const endByOperator = async (chain: FrameChain, account: Hex) => {
    const nonce = await read(chain, 'eth_getTransactionCount', [account, 'latest']).then(toQuantity)
    const asked = { chainId: Number(chain.reference), nonce }
    const { authorization } = await keys.do('signEnding', asked, account)
    await session.call(endDelegationRoute, { chainId: chain.id, account, authorization })
    await waitUntil(async () => !(await isDelegated(chain, account)))
  }
  const endUnpaid = (chain: FrameChain, account: Hex) => {
    if (chain.smartAccounts?.sponsor) return endByOperator(chain, account)
    throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol: chain.symbol } })
  }
  return {
    async readType() {
      const status = await getStatus()
      // The server's value may be older than a choice that it has stored in the meantime.
      if (!isChosen) await followAccountType(own, status)
      return readAccountType(store, status.account)
    },
    async writeType(type) {
      const account = await getAccount()
      isChosen = true
      await chooseAccountType(store, account, type)
      void sendAccountType(own, account)
    },
    async list() {
      const account = await getAccount()
      const smart = parseChains(facts).filter(({ smartAccounts }) => smartAccounts !== undefined)
      const found = await Promise.all(smart.map((chain) => isDelegated(chain, account)))
      return smart.filter((_, index) => found[index])
    },
    async end(chain) {
      const account = await getAccount()
      const [nonce, balance, rates] = await Promise.all([
        read(chain, 'eth_getTransactionCount', [account, 'pending']).then(toQuantity),
        read(chain, 'eth_getBalance', [account, 'latest']).then(toQuantity),
        readFeeRates((method, params) => read(chain, method, params), chain.reference),
      ])
      if (BigInt(balance) < gas * rates.maxWei) return endUnpaid(chain, account)
      const fields =
        'gasPrice' in rates.fields
          ? { maxFeePerGas: rates.fields.gasPrice, maxPriorityFeePerGas: rates.fields.gasPrice }
          : rates.fields
      const transaction = {
        chainId: Number(chain.reference),
        nonce,
        gas: toHex(gas),
        maxFeePerGas: toHex(fields.maxFeePerGas),
        maxPriorityFeePerGas: toHex(fields.maxPriorityFeePerGas),
      }
      const { raw, hash } = await keys.do('signRevocation', { transaction }, account)
      try {
        await read(chain, 'eth_sendRawTransaction', [raw])
      } catch (error) {
        // A rollup charges for the data too, and its node refuses a transaction that cannot pay for
        // it.
        if (!isError(error, 'RPC_FAILED') || !/insufficient funds/i.test(error.message)) throw error
        return endUnpaid(chain, account)
      }
      await waitUntil(async () => (await read(chain, 'eth_getTransactionReceipt', [hash])) !== null)
    },
  }
}

const toHex = (value: bigint): Hex => `0x${value.toString(16)}`

function toQuantity(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new LatchkeyError('ANSWER_INVALID')
  return value.toLowerCase() as Hex
}
