import { getBase58Decoder } from '@solana/kit'
import { programs } from '../definition.ts'
import type { Account } from '../state/accountStore.ts'
import { isTokenProgram, readMint, readTokenAccount, toUiAmount } from './readToken.ts'

/** Encoding of account data. */
export type AccountEncoding = 'base58' | 'base64' | 'jsonParsed'

type Options = {
  encoding: AccountEncoding
  dataSlice?: { readonly offset: number; readonly length: number } | undefined
  get: (address: string) => Account | undefined
}

const rentEpoch = 0xffff_ffff_ffff_ffffn

/**
 * An account in the form of `getAccountInfo`. With `jsonParsed`, data without a parser is base64.
 */
export function encodeAccount(account: Account, options: Options) {
  const { encoding, dataSlice, get } = options
  const { lamports, owner, executable, data } = account
  const parsed = encoding === 'jsonParsed' ? parseData(account, get) : undefined
  return {
    data: parsed ?? encodeData(data, { encoding, dataSlice }),
    ...{ executable, lamports, owner, rentEpoch, space: data.length },
  }
}

function encodeData(
  data: Uint8Array,
  { encoding, dataSlice }: Pick<Options, 'encoding' | 'dataSlice'>,
) {
  const { offset = 0, length = data.length } = dataSlice ?? {}
  const bytes = data.subarray(offset, offset + length)
  if (encoding === 'base58') return [getBase58Decoder().decode(bytes), 'base58']
  return [Buffer.from(bytes).toString('base64'), 'base64']
}

function parseData(account: Account, get: Options['get']) {
  if (!isTokenProgram(account.owner)) return undefined
  const program = account.owner === programs.token ? 'spl-token' : 'spl-token-2022'
  const space = account.data.length
  const mint = readMint(account.data)
  if (mint) {
    const { mintAuthority = null, supply, decimals, freezeAuthority = null, extensions } = mint
    const facts = { mintAuthority, supply: supply.toString(), decimals, isInitialized: true }
    const info = { ...facts, freezeAuthority, ...(extensions.length > 0 && { extensions }) }
    return { program, parsed: { type: 'mint', info }, space }
  }
  const info = parseTokenAccount(account, get)
  return info && { program, parsed: { type: 'account', info }, space }
}

function parseTokenAccount(account: Account, get: Options['get']) {
  const token = readTokenAccount(account.data)
  const mint = token && readMint(get(token.mint)?.data ?? new Uint8Array())
  if (!token || !mint) return undefined
  const { delegate, closeAuthority, nativeReserve, extensions } = token
  return {
    isNative: nativeReserve !== undefined,
    ...{ mint: token.mint, owner: token.owner, state: token.state },
    tokenAmount: toUiAmount(token.amount, mint.decimals),
    ...(nativeReserve !== undefined && { rentExemptReserve: toUiAmount(nativeReserve, 9) }),
    ...(delegate && {
      delegate,
      delegatedAmount: toUiAmount(token.delegatedAmount, mint.decimals),
    }),
    ...(closeAuthority && { closeAuthority }),
    ...(extensions.length > 0 && { extensions }),
  }
}
