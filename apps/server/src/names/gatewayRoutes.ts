import { etherCoinType } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { privateKeyToAccount } from 'viem/accounts'
import { namehash } from 'viem/ens'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  hexToBytes,
  isHex,
  keccak256,
  parseAbi,
} from 'viem/utils'
import * as z from 'zod'
import { parseAddress, zeroAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { parseBody } from '../http/request/parse.ts'
import type { Services } from '../services.ts'
import { findName, findNames, getNameAddress, type StoredName } from './nameStore.ts'
import { parseName } from './parseName.ts'

type GatewayRoutesDeps = Pick<Services, 'db' | 'clock' | 'config'>

/** How long a signed response is valid. */
const lifetimeSeconds = 300
const maxRequest = 10_000

const resolverAbi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes)',
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function name(bytes32 node) view returns (string)',
  'function contenthash(bytes32 node) view returns (bytes)',
])

const body = z.object({ sender: z.string(), data: z.string() })

/**
 * The offchain lookup of our resolver contract (EIP-3668): `GET /v1/names/{sender}/{data}.json` and
 * POST return a signed record of a name. `dev/contracts/NameResolver.sol` checks the signature.
 */
export function gatewayRoutes(services: GatewayRoutesDeps): Hono {
  return new Hono()
    .get('/v1/names/:sender/:file', (c) => {
      const file = c.req.param('file') ?? ''
      if (!file.endsWith('.json')) throw new HttpFailure(badData)
      return answer(services, c, { sender: c.req.param('sender'), data: file.slice(0, -5) })
    })
    .post('/v1/names', async (c) => answer(services, c, await parseBody(c, body)))
}

async function answer(
  services: GatewayRoutesDeps,
  c: Context,
  { sender, data }: z.output<typeof body>,
): Promise<Response> {
  const { config, clock } = services
  if (config.nameSignerKey === undefined || config.nameZones.length === 0)
    throw new HttpFailure(noGateway)
  const resolver = parseAddress(sender)
  if (resolver === undefined || !isHex(data) || data.length > maxRequest)
    throw new HttpFailure(badData)
  const query = parseQuery(data)
  if (query === undefined) throw new HttpFailure(badData)
  const result = await readRecord(services, query)
  const expires = BigInt(Math.floor(clock() / 1000) + lifetimeSeconds)
  const hash = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', resolver, expires, keccak256(data), keccak256(result)],
    ),
  )
  const signature = await privateKeyToAccount(config.nameSignerKey).sign({ hash })
  const response = encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
    [result, expires, signature],
  )
  // A record may change at any moment, and the signature expires soon anyway.
  c.header('cache-control', 'public, max-age=10')
  return c.json({ data: response })
}

type Query = { readonly name: string; readonly record: RecordCall }
type RecordCall = Exclude<
  ReturnType<typeof decodeFunctionData<typeof resolverAbi>>,
  { functionName: 'resolve' }
>

/**
 * The name and the record that a call `resolve(name, data)` requests; undefined if the call is
 * malformed or contradicts itself.
 */
function parseQuery(data: Hex): Query | undefined {
  try {
    const outer = decodeFunctionData({ abi: resolverAbi, data })
    if (outer.functionName !== 'resolve') return undefined
    const [encoded, call] = outer.args
    const record = decodeFunctionData({ abi: resolverAbi, data: call })
    if (record.functionName === 'resolve') return undefined
    const name = decodeDnsName(encoded)
    if (name === undefined || record.args[0] !== namehash(name)) return undefined
    return { name, record }
  } catch {
    return undefined
  }
}

/** Decodes a name from the DNS wire format (length-prefixed labels) to a name with dots. */
function decodeDnsName(encoded: Hex): string | undefined {
  const bytes = hexToBytes(encoded)
  const labels: string[] = []
  let place = 0
  for (let length = bytes[place]; length !== 0; length = bytes[place]) {
    if (length === undefined || place + 1 + length >= bytes.length) return undefined
    const label = Buffer.from(bytes.subarray(place + 1, place + 1 + length)).toString('latin1')
    // A dot inside a label would split the label in two.
    if (!/^[a-z0-9-]+$/.test(label)) return undefined
    labels.push(label)
    place += 1 + length
  }
  return place === bytes.length - 1 ? labels.join('.') : undefined
}

/** The record as the resolver's function returns it; empty if the record does not exist. */
async function readRecord(services: GatewayRoutesDeps, { name, record }: Query): Promise<Hex> {
  const [, account] = /^([0-9a-f]{40})\.addr\.reverse$/.exec(name) ?? []
  if (account !== undefined)
    return encodeRecord(record, {
      primaryName: (await findNames(services, { owner: `0x${account}`, all: false }))[0]?.name,
    })
  const parsed = parseName(services.config.nameZones, name)
  const stored = 'failure' in parsed ? undefined : await findName(services, parsed.name)
  return encodeRecord(record, { stored })
}

function encodeRecord(
  record: RecordCall,
  {
    stored,
    primaryName = '',
  }: { stored?: StoredName | undefined; primaryName?: string | undefined },
): Hex {
  const { functionName, args } = record
  if (functionName === 'name') return encodeAbiParameters([{ type: 'string' }], [primaryName])
  if (functionName === 'text')
    return encodeAbiParameters([{ type: 'string' }], [readText(stored, args[1])])
  if (functionName === 'contenthash') return encodeAbiParameters([{ type: 'bytes' }], ['0x'])
  const [, coinType] = args
  const address = stored && getAddressAt(stored, coinType)
  if (coinType === undefined)
    return encodeAbiParameters([{ type: 'address' }], [address ?? zeroAddress])
  return encodeAbiParameters([{ type: 'bytes' }], [address ?? '0x'])
}

/** The address for exactly that coin type; for Ethereum's, the address for payments on Ethereum. */
function getAddressAt(stored: StoredName, coinType = BigInt(etherCoinType)): Hex | undefined {
  if (coinType === BigInt(etherCoinType)) return getNameAddress(stored)
  return parseAddress(stored.addresses[String(coinType)]?.address)
}

/** ENSIP-5 and ENSIP-18 call the bio a description. */
function readText(stored: StoredName | undefined, key: string): string {
  const { bio = '', avatar = '' } = stored?.attributes ?? {}
  if (key === 'avatar') return avatar
  return key === 'description' || key === 'bio' ? bio : ''
}

const badData = badRequest(
  'data',
  "The request is not a resolver's request for a record of a name (EIP-3668, ENSIP-10)",
)
const noGateway: Failure = {
  status: 404,
  field: 'path',
  description: 'This server serves no resolver: NAME_ZONES or NAME_SIGNER_KEY is not set',
}
