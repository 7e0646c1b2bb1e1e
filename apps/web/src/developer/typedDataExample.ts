/** Harmless typed data (EIP-712), bound to the chain that it is signed for. */
export const typedDataExample = (chainId: number | string) => ({
  domain: { name: 'Latchkey', version: '1', chainId: Number(chainId) },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Greeting: [
      { name: 'to', type: 'string' },
      { name: 'text', type: 'string' },
      { name: 'count', type: 'uint256' },
    ],
  },
  primaryType: 'Greeting',
  message: { to: 'Alice', text: 'This signature moves nothing', count: '1' },
})
