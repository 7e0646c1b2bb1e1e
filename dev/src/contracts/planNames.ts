import { type Address, labelhash, namehash, zeroHash } from 'viem'
import type { Builder } from './builder.ts'

/** The parent domain of the development accounts' names. */
const devDomain = 'latchkey.eth'

/**
 * The local server's gateway URL for the resolver, at the default port; a stack at another port
 * changes it.
 */
const nameGateway = 'http://127.0.0.1:3000/v1/names/{sender}/{data}.json'

/** Labels by the index of the account; `reverse`: the account also has a reverse record. */
const names = [
  { label: 'alice', reverse: true },
  { label: 'bob', reverse: true },
  { label: 'carol', reverse: false },
  { label: 'dave', reverse: false },
] as const

const bobsAvatar =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"%3E%3Cpath fill="%232f7d6b" d="M0 0h64v64H0z"/%3E%3Ccircle cx="32" cy="25" r="12" fill="%23fbe3c4"/%3E%3Cpath fill="%23fbe3c4" d="M10 64a22 22 0 0 1 44 0z"/%3E%3C/svg%3E'

/**
 * ENS's registry, resolver and reverse registrar, and names for the first `holders`. Alice's avatar
 * is picture 1 of `pictures`, bob's is in the record itself. Carol and dave have no avatar and no
 * reverse record. The local server keeps names below `latchkey.id`.
 */
export function planNames(
  builder: Builder,
  parameters: {
    holders: Address[]
    pictures: Address
    /** The signer for names that the local server keeps. */
    signer: Address
  },
) {
  const { holders, pictures, signer } = parameters
  const { deployer } = builder
  const registry = builder.deploy('DevRegistry')
  const resolver = builder.deploy('DevResolver', registry.address)
  const reverse = builder.deploy('DevReverse', registry.address, resolver.address)
  const own = (parent: string, label: string, owner: Address) => {
    const node = parent === '' ? zeroHash : namehash(parent)
    builder.call(registry, 'setSubnodeRecord', [node, labelhash(label), owner, resolver.address])
  }
  own('', 'reverse', deployer)
  own('reverse', 'addr', reverse.address)
  own('', 'eth', deployer)
  own('eth', 'latchkey', deployer)

  const avatars = { alice: `eip155:31337/erc721:${pictures}/1`, bob: bobsAvatar }
  for (const [index, { label, reverse: isReverse }] of names.entries()) {
    const holder = holders[index]
    if (!holder) continue
    const name = `${label}.${devDomain}`
    const node = namehash(name)
    own(devDomain, label, holder)
    builder.call(resolver, 'setAddr', [node, holder])
    if (label === 'alice' || label === 'bob') {
      builder.call(resolver, 'setText', [node, 'avatar', avatars[label]])
    }
    if (isReverse) builder.call(reverse, 'setNameFor', [holder, name])
  }
  // Connects names that the local server keeps to ENS, like an operator.
  const nameResolver = builder.deploy('NameResolver', signer, [nameGateway])
  const universalResolver = builder.deploy(
    'DevUniversalResolver',
    registry.address,
    nameResolver.address,
  )
  own('', 'id', deployer)
  own('id', 'latchkey', deployer)
  builder.call(registry, 'setResolver', [namehash('latchkey.id'), nameResolver.address])
  return {
    nameResolver: nameResolver.address,
    universalResolver: universalResolver.address,
    ensRegistry: registry.address,
    ensResolver: resolver.address,
    ensReverse: reverse.address,
  }
}
