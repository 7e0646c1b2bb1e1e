/** The texts of requests on Solana, loaded with them. `{name}` is filled in. */
export const solanaTexts = {
  application: 'For the application',
  otherSigner: 'Also signed by',
  block: {
    otherSigners: 'This message is for other accounts to sign.',
  },
} as const
