/** The form in which addresses of tokens are compared: of EVM chains in lower case, others as they are, since case matters in them. */
export const tokenKey = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address
