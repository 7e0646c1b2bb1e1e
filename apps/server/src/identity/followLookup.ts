import { LatchkeyError, parseBoundedJson } from '@latchkey/wire'
import {
  concat,
  decodeErrorResult,
  encodeAbiParameters,
  isHex,
  toFunctionSelector,
} from 'viem/utils'
import * as z from 'zod'
import { type CallResult, callContracts } from '../evm/callContracts.ts'
import type { Hex } from '../evm/hex.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import { type Ens, lookupAbi } from './ens.ts'

const lookupSelector = toFunctionSelector('OffchainLookup(address,string[],bytes,bytes4,bytes)')
const maxLookups = 3
const maxServers = 2
/** The time limit for all the servers that a record refers to. */
const maxMs = 8_000
const limits = { accept: ['application/json', 'text/plain'], maxBytes: 150_000, timeoutMs: 4_000 }
const answerSchema = z.object({ data: z.string() })

/**
 * The final result of `resolver`: if it refers to a web server (EIP-3668), that server's response
 * is passed back to it. Uses GET only, so servers that require POST do not answer. Throws
 * OUTBOUND_FAILED or OUTBOUND_REFUSED if no server answers.
 */
export async function followLookup(
  ens: Ens,
  resolver: Hex,
  first: CallResult,
): Promise<Hex | undefined> {
  let called = first
  const startedAtMs = performance.now()
  for (let step = 0; step <= maxLookups; step += 1) {
    if (called === undefined) return undefined
    if ('returned' in called) return called.returned
    const lookup = parseLookup(called.reverted)
    if (lookup === undefined || lookup.sender.toLowerCase() !== resolver.toLowerCase())
      return undefined
    if (performance.now() - startedAtMs > maxMs) throw lookupFailed()
    const response = await askServers(ens, lookup)
    const proof = encodeAbiParameters(
      [{ type: 'bytes' }, { type: 'bytes' }],
      [response, lookup.extraData],
    )
    const [next] = await callContracts(ens, [
      { to: resolver, data: concat([lookup.callback, proof]) },
    ])
    called = next
  }
  return undefined
}

type Lookup = {
  readonly sender: Hex
  readonly urls: readonly string[]
  readonly data: Hex
  readonly callback: Hex
  readonly extraData: Hex
}

function parseLookup(reverted: Hex): Lookup | undefined {
  if (!reverted.startsWith(lookupSelector)) return undefined
  try {
    const { args } = decodeErrorResult({ abi: lookupAbi, data: reverted })
    const [sender, urls, data, callback, extraData] = args
    return { sender, urls, data, callback, extraData }
  } catch {
    return undefined
  }
}

/** The response of the first server that has one. */
async function askServers({ outbound }: Ens, { sender, urls, data }: Lookup): Promise<Hex> {
  let failure: unknown
  for (const template of urls.filter((url) => url.includes('{data}')).slice(0, maxServers)) {
    const url = template.replace('{sender}', sender.toLowerCase()).replace('{data}', data)
    try {
      const { bytes } = await fetchOutside(outbound, url, limits)
      const answer = answerSchema.parse(parseBoundedJson(bytes.toString('utf8')))
      if (isHex(answer.data)) return answer.data
    } catch (error) {
      failure = error
    }
  }
  throw lookupFailed(failure)
}

const lookupFailed = (cause?: unknown) =>
  new LatchkeyError('OUTBOUND_FAILED', {
    data: { host: 'The server of a resolver', reason: 'it returned nothing' },
    cause,
  })
