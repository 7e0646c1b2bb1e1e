/** The network of this wallet, the local chain: by its Wallet Standard name and its CAIP-2 id. */
export const bitcoinChains = ['bitcoin:regtest', 'bip122:5c66f8fcc1e9488fef9402b1af48d8e7'] as const

/**
 * Bitcoin addresses of the same accounts (BIP-84, `m/84'/1'/0'/0/i`, and BIP-86, `m/86'/1'/0'/0/i`)
 * with their public keys. Their private keys are public too.
 */
export const bitcoinAccounts = [
  {
    payment: 'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw',
    paymentKey: '03f3d474c86c9be5b82e251cc3cc438d3cc361527b4b9799516c4bd513caf9e5f6',
    ordinals: 'bcrt1pfewlxm8meyyvgjydfu7v8j4ej64symj6ut8sf66h9germp94qgzs92e5zv',
    ordinalsKey: '8c7fc6552af4384a13791e63bac79ff2bcfeedf143a88d6dc4b6080a8829cdc1',
  },
  {
    payment: 'bcrt1qlqj2pdsteppkcr8jkp9ms0wpvey89tna8v72sj',
    paymentKey: '034f1ed3cf19a0d6fbb1db423f5f61608a61d6c321a16dbc8400d76a45f80d7ff3',
    ordinals: 'bcrt1p6g8r5e8jvnvukaqgdauwag8lfkzvz3dng4057kv7avnpxpkghdkszxhwd4',
    ordinalsKey: '94cea1919bdcdefc478f8533a7bf8954867dc227da79754642cb2e41f7e300d8',
  },
  {
    payment: 'bcrt1qwqwxn0pae964jk3zu8zxr3lu2jyj0p7mk8hkdv',
    paymentKey: '028a76a4ddbfd85e75b9a3f478873824da290dbdd9507947d9e3bae7706c2380a7',
    ordinals: 'bcrt1pw4n0e9av3evnyt7j7x3wgrjrttqr4482x7kwpp78g7wnue59mvnse7srs6',
    ordinalsKey: '67428cfe9f4cc0ee625ef2174f203b589500818913c3d6eec0562b49af02cf0d',
  },
  {
    payment: 'bcrt1q0rvyhr5465rrdfmavlj67u7ru5vr434c08qx4e',
    paymentKey: '0326a9e72bb8a3db326f2dca26beec97cd8c6db794fda150bf08ad2ad11816295b',
    ordinals: 'bcrt1plafgmyp8xpy9fvljgmeaea57zsad2aqujxcqmag6u9r3zpmyg6aqek54f7',
    ordinalsKey: '6f95ab9213ce26b72d4c864e1ae02e1b84af12f08837ab7be5478e370a5487ff',
  },
  {
    payment: 'bcrt1qvlwxpcmszwutam7ykvwc272r748a9zzszj8a4s',
    paymentKey: '02861168378d487f42c159f49e060a1dada9f96f616e5f7fb0beb519d04baf1b3a',
    ordinals: 'bcrt1p0lxykduwlrn4th0xxpkvthqp65gdtra9u37v6hph0qzdj30p0mmsdf33qf',
    ordinalsKey: 'f2401b5b34a3b6db294307287d0b763c2c0f1d62a212d3ad34e7b8e2f1a491e0',
  },
] as const

/** An address that the wallet reports, in WalletConnect's form. */
export type BitcoinAddress = {
  address: string
  publicKey: string
  intention: 'payment' | 'ordinal'
}

/** The two addresses of an account. */
export function getBitcoinAddresses(index: number): readonly [BitcoinAddress, BitcoinAddress] {
  const { payment, paymentKey, ordinals, ordinalsKey } =
    bitcoinAccounts[index] ?? bitcoinAccounts[0]
  return [
    { address: payment, publicKey: paymentKey, intention: 'payment' },
    { address: ordinals, publicKey: ordinalsKey, intention: 'ordinal' },
  ]
}
