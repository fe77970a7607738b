package dev.larder.array;

import java.nio.file.Path;

/**
 * TLS 1.3 between nodes, of Raft and of the links: both sides show a certificate of one of the authorities, which must be the
 * array's own. It does not check for which node a certificate was made. All files are in PEM.
 *
 * @param certificates the node's certificate, and the chain to an authority
 * @param key its private key, in PKCS 8 without a password
 * @param authorities the certificates of the authorities whose nodes are trusted
 */
public record NodeEncryption(Path certificates, Path key, Path authorities) {}
