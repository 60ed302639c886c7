/**
 * Who an address means, however it is written: composed or not, wide or narrow, in capitals or not. The only definition;
 * the database keeps what comes out and never folds by itself, because its capitals are not ours ("İ" is no "i").
 */
export const foldEmail = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC')
