/**
 * The one way out of the command line. It runs on somebody's own machine and asks what they name, their own network
 * included; nothing that the service does goes through here.
 */
export const send: typeof fetch = (request, init) => fetch(request, init)
