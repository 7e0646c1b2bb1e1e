import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { LatchkeyError } from '@latchkey/wire'
import type { Outbound } from './createOutbound.ts'
import { isPublicAddress } from './isPublicAddress.ts'
import { outboundRefused, type Target } from './readTarget.ts'

/**
 * All addresses of a host. Throws OUTBOUND_REFUSED if any of them is not public or belongs to this
 * machine.
 */
export async function resolveChecked(
  outbound: Outbound,
  { host, trusted }: Target,
): Promise<string[]> {
  const addresses =
    isIP(host) === 0 ? await outbound.resolve(host, { trusted }).catch(() => []) : [host]
  if (addresses.length === 0)
    throw new LatchkeyError('OUTBOUND_FAILED', {
      data: { host, reason: 'its name has no address' },
    })
  if (trusted) return addresses
  const own = new BlockList()
  for (const address of outbound.ownAddresses()) own.addAddress(address, getFamily(address))
  const isFine = (address: string) =>
    isPublicAddress(address) && !own.check(address, getFamily(address))
  if (!addresses.every(isFine)) throw outboundRefused(host, 'its address is not public')
  return addresses
}

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Opens a connection to these addresses only, even if the name resolves differently by now. */
export function openConnection(
  { dial, ca }: Outbound,
  target: Target,
  addresses: readonly string[],
): Duplex {
  const { host, port, url } = target
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first] = found
  // Calls back asynchronously, like a real resolver: a connection that fails at once would fail
  // before anything listens.
  const lookup: LookupFunction = (_, { all }, done) =>
    setImmediate(() => (all ? done(null, found) : done(null, first?.address ?? '', first?.family)))
  const socket = dial({ host, port, lookup })
  if (url.protocol === 'http:') return socket
  let secure: TLSSocket | undefined
  // TLS does not report a connection that fails before the handshake.
  socket.on('error', (error) => secure?.destroy(error))
  const servername = isIP(host) === 0 ? host : ''
  secure = connectTls({
    socket,
    host,
    servername,
    ALPNProtocols: ['http/1.1'],
    ...(ca && { ca }),
  })
  return secure
}
