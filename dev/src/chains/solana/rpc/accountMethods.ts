import * as z from 'zod'
import { type AccountEncoding, encodeAccount } from '../parse/encodeAccount.ts'
import { isTokenProgram, readMint, readTokenAccount, toUiAmount } from '../parse/readToken.ts'
import type { SolanaChain } from '../state/openChain.ts'
import {
  accountConfig,
  address,
  checkContext,
  config,
  type Methods,
  parseParams,
  withContext,
} from './params.ts'
import { invalidParams } from './rpcError.ts'

const maxAccounts = 100
const filter = z.union([z.strictObject({ mint: address }), z.strictObject({ programId: address })])

/** Methods about accounts and tokens. */
export const accountMethods: Methods = {
  getBalance: (chain, params) => {
    const [of, { minContextSlot }] = parseParams(z.tuple([address, config], z.any()), params)
    checkContext(chain, minContextSlot)
    return withContext(chain, chain.accounts.get(of)?.lamports ?? 0)
  },
  getAccountInfo: (chain, params) => {
    const [of, options] = parseParams(z.tuple([address, accountConfig], z.any()), params)
    checkContext(chain, options.minContextSlot)
    return withContext(chain, describe(chain, { address: of, ...options }))
  },
  getMultipleAccounts: (chain, params) => {
    const schema = z.tuple([z.array(address), accountConfig], z.any())
    const [addresses, options] = parseParams(schema, params)
    checkContext(chain, options.minContextSlot)
    if (addresses.length > maxAccounts)
      throw invalidParams(`Too many inputs provided; max ${maxAccounts}`)
    const accounts = addresses.map((each) => describe(chain, { address: each, ...options }))
    return withContext(chain, accounts)
  },
  getTokenAccountsByOwner: (chain, params) => {
    const schema = z.tuple([address, filter, accountConfig], z.any())
    const [owner, wanted, options] = parseParams(schema, params)
    checkContext(chain, options.minContextSlot)
    checkFilter(chain, wanted)
    const found = chain.accounts.tokenAccountsOf(owner).filter((pubkey) => {
      const account = chain.accounts.get(pubkey)
      if (!account) return false
      if ('programId' in wanted) return account.owner === wanted.programId
      return readTokenAccount(account.data)?.mint === wanted.mint
    })
    const accounts = found.map((pubkey) => ({
      pubkey,
      account: describe(chain, { address: pubkey, ...options }),
    }))
    return withContext(chain, accounts)
  },
  getTokenAccountBalance: (chain, params) => {
    const [of] = parseParams(z.tuple([address, config], z.any()), params)
    const account = chain.accounts.get(of)
    if (!account) throw invalidParams('could not find account')
    const token = isTokenProgram(account.owner) && readTokenAccount(account.data)
    if (!token) throw invalidParams('not a Token account')
    return withContext(chain, toUiAmount(token.amount, findMint(chain, token.mint).decimals))
  },
  getTokenSupply: (chain, params) => {
    const [of] = parseParams(z.tuple([address, config], z.any()), params)
    if (!chain.accounts.get(of)) throw invalidParams('could not find account')
    const { supply, decimals } = findMint(chain, of)
    return withContext(chain, toUiAmount(supply, decimals))
  },
  getMinimumBalanceForRentExemption: (chain, params) => {
    const [bytes] = parseParams(z.tuple([z.int().min(0).max(10_485_760), config], z.any()), params)
    return chain.rentFor(bytes)
  },
}

/** An account in the form of a method's response; null if it does not exist. */
export function describe(
  chain: SolanaChain,
  options: {
    address: string
    encoding: AccountEncoding
    dataSlice?: { offset: number; length: number } | undefined
  },
) {
  const account = chain.accounts.get(options.address)
  return account ? encodeAccount(account, { ...options, get: chain.accounts.get }) : null
}

function checkFilter(chain: SolanaChain, wanted: z.infer<typeof filter>) {
  if ('mint' in wanted) findMint(chain, wanted.mint)
  else if (!isTokenProgram(wanted.programId)) throw invalidParams('unrecognized Token program id')
}

function findMint(chain: SolanaChain, mint: string) {
  const account = chain.accounts.get(mint)
  if (!account) throw invalidParams('could not find mint')
  const found = isTokenProgram(account.owner) && readMint(account.data)
  if (!found) throw invalidParams('not a Token mint')
  return found
}
