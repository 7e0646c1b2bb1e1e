import { BlockList, isIP } from 'node:net'

/**
 * Whether the public internet routes an IP address: it does not belong to this host or its
 * networks, is not the metadata server of a cloud, and does not embed another address (IANA
 * special-purpose registries, RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  if (family !== 6) return false
  return unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

const special4 = createBlockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's host agent, which hands out secrets and is reachable only from inside.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

// All other IPv6 addresses are local, reserved, or embed an IPv4 address (::ffff:0:0/96,
// 64:ff9b::/96).
const unicast6 = createBlockList('ipv6', ['2000::/3'])

const special6 = createBlockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

function createBlockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
