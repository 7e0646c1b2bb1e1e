/** The header of the token that each change has to carry where the session is in a cookie. */
export const csrfHeader = 'x-csrf-token'
