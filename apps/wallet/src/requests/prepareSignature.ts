import { decodeUtf8, parseBoundedJson } from '@latchkey/wire'
import { hexToBytes, isHex, type TypedDataDefinition } from 'viem'
import * as z from 'zod/mini'
import { findChain } from '../config.ts'
import { currentAccount, currentChain } from '../state.ts'
import { getSigner } from './getSigner.ts'
import { isShowable } from './isShowable.ts'
import { accountIndex, invalidParams } from './parameters.ts'
import type { PreparedRequest, WalletRequest } from './walletRequest.ts'

/** personal_sign (EIP-191): `[message, address]`, the message as hex bytes or as text. */
export function prepareMessage({ call, state }: WalletRequest): PreparedRequest {
  const [data, address] = Array.isArray(call.params) ? (call.params as unknown[]) : []
  if (typeof data !== 'string') throw invalidParams('message')
  const index = accountIndex(state, address)
  const raw = isHex(data) && data.length % 2 === 0 ? data : undefined
  return {
    title: 'Sign this message?',
    rows: [
      { label: 'Message', text: raw ? readable(raw) : data },
      { label: 'Account', value: currentAccount(state) },
    ],
    approve: () => getSigner(index).signMessage({ message: raw ? { raw } : data }),
  }
}

/** The bytes as text, or the bytes themselves if they are not text. */
const readable = (raw: `0x${string}`): string => decodeUtf8(hexToBytes(raw)) ?? raw

const typedData = z.object({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  domain: z.looseObject({ chainId: z.optional(z.union([z.string(), z.number()])) }),
  message: z.record(z.string(), z.unknown()),
})

/** eth_signTypedData_v4 (EIP-712): `[address, data]`, the data as JSON or as an object. */
export function prepareTypedData({ call, config, state }: WalletRequest): PreparedRequest {
  const [address, data] = Array.isArray(call.params) ? (call.params as unknown[]) : []
  const index = accountIndex(state, address)
  const parsed = z.safeParse(typedData, typeof data === 'string' ? parseJson(data) : data)
  if (!parsed.success) throw invalidParams('typed data')
  const { domain, primaryType, message } = parsed.data
  if (!isShowable([domain, message])) throw invalidParams('typed data is too large to be shown')
  const chainId = domain.chainId === undefined ? undefined : Number(domain.chainId)
  const chain = chainId === undefined ? undefined : findChain(config, chainId)
  if (chainId !== undefined && !chain)
    throw invalidParams(`chainId ${chainId} is not a network of this wallet`)
  return {
    title: 'Sign this data?',
    rows: [
      { label: 'Network', value: chain?.name ?? 'Any network' },
      { label: 'Domain', tree: domain },
      { label: 'Type', value: primaryType },
      { label: 'Message', tree: message },
      { label: 'Account', value: currentAccount(state) },
    ],
    ...(chain &&
      chain !== currentChain(config, state) && {
        warning: `This is for ${chain.name}, not for the network in use.`,
      }),
    approve: () =>
      getSigner(index)
        .signTypedData(parsed.data as unknown as TypedDataDefinition)
        .catch(() => {
          throw invalidParams('typed data')
        }),
  }
}

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}
