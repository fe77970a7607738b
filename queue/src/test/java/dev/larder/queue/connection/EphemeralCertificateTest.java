package dev.larder.queue.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Signature;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

/** The JDK reads the DER that is written, and finds that the certificate signs itself with the key. */
final class EphemeralCertificateTest {

    @Test
    void isACertificateOfItsKey() throws Exception {
        EphemeralCertificate made = EphemeralCertificate.make();
        X509Certificate certificate = made.certificate();
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity();
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSubjectX500Principal()).isEqualTo(certificate.getIssuerX500Principal());
        assertThat(certificate.getSerialNumber()).isPositive();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(made.key());
        byte[] signed = signature.sign();
        signature.initVerify(certificate);
        assertThat(signature.verify(signed)).isTrue();
        assertThat(EphemeralCertificate.make().certificate()).isNotEqualTo(certificate);
    }
}
