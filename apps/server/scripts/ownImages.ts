const svg = (body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">${body}</svg>`

const letters = (color: string, text: string, size: number) =>
  svg(
    `<circle cx="12" cy="12" r="12" fill="${color}"/><text x="12" y="12" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${size}" fill="#fff">${text}</text>`,
  )

/** A key in a ring, and one or two dots: the local chains. */
const chain = (color: string, dots: string) =>
  svg(
    `<rect width="24" height="24" rx="6" fill="${color}"/><g fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round"><circle cx="9" cy="12" r="3.4"/><path d="M12.4 12H19M16.4 12v2.8"/></g>${dots}`,
  )

/**
 * Pictures that we drew, by image id: of local networks, and of networks whose logos are not in our
 * icon packages.
 */
export const ownNetworks: Readonly<Record<string, string>> = {
  'eip155-31337': chain('#5b5bd6', '<circle cx="12" cy="20" r="1.2" fill="#fff"/>'),
  'eip155-31338': chain(
    '#0f8a6d',
    '<circle cx="10" cy="20" r="1.2" fill="#fff"/><circle cx="14" cy="20" r="1.2" fill="#fff"/>',
  ),
  'solana-5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU': chain(
    '#7c3aad',
    '<circle cx="12" cy="20" r="1.2" fill="#fff"/>',
  ),
  'bip122-5c66f8fcc1e9488fef9402b1af48d8e7': chain(
    '#b45f06',
    '<circle cx="12" cy="20" r="1.2" fill="#fff"/>',
  ),
  'polkadot-91b171bb158e2d3848fa23a9f1c25182': letters('#b0175f', 'D', 13),
  'polkadot-b0a8d493285c2df73290dfb7e61f870f': letters('#26262e', 'K', 13),
  'polkadot-e143f23803ac50e8f6f8e62695d1ce9e': letters('#8a6d1f', 'W', 12),
}

/** Pictures we drew: the local chains' tokens by symbol. */
export const ownTokens: Readonly<Record<string, string>> = {
  dUSD: letters('#2f855a', '$', 13),
  dBTC: letters('#dd6b20', 'B', 13),
  dGLD: letters('#b7892b', 'Au', 10),
  WETH: svg(
    '<circle cx="12" cy="12" r="12" fill="#3b3f8c"/><path d="m12 4-5 8.2 5 3 5-3z" fill="#fff"/><path d="m7 13.4 5 6.6 5-6.6-5 3z" fill="#cfd2ff"/>',
  ),
}
