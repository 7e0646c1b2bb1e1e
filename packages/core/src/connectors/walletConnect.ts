/** Id of the connector that reaches phone wallets through a relay. */
export const walletConnectId = 'walletConnect'
