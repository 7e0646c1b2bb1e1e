/** The header of the CSRF token. Required for each change if the session is in a cookie. */
export const csrfHeader = 'x-csrf-token'
