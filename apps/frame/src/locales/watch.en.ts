/**
 * Labels of approvals that add a token to the list. They load with these approvals. `{name}` is
 * filled in.
 */
export const watchTexts = {
  title: 'Add this token to your list?',
  action: 'add',
  symbol: 'Symbol, according to the token',
  contract: 'Contract',
  decimals: 'Decimals',
  held: 'You have',
  anyName:
    'Anyone can create a token with any name. Compare the contract with the address that the project publishes.',
  misnamed:
    'This token uses the name of another token that is listed or of the currency of this network, or its name is bait. Do not trust its name.',
  bait: 'The name of this token reads like an invitation to a website or an app. Such tokens are made to steal, so it cannot be added.',
} as const
