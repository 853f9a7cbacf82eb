"""SHA-256 of every template by name and version: a row is added, and never changed."""

HASHES = {
    ("semantic/en", "1"): ("d44a6eaf027605ed2c562b9a8dda720cc0b072bff0a361f461b0b548a0a73dda"),
    ("process/en", "1"): ("6363544d8fc14e1802ff9314bab68510c21c4731b8381e1cea6373875bc4d4b0"),
    ("pairwise/en/free", "1"): ("1dd87a01e0580766f20a78e351e27700af0f6c162c77a80777544187e60ce5c5"),
    ("pairwise/en/with-reference", "1"): (
        "023ba4c3f4bbb0d6d0f5fa04240ae77745f6fe2c8ae6cb052eb47d465e022219"
    ),
    ("rating/en/one-turn", "1"): (
        "177095270f15f4eb5d7efbe6d7b7b9e1f7452d3fd6c5f4cf97eace4fb80756a0"
    ),
    ("rating/en/one-turn-reference", "1"): (
        "9fbbae9a35c20048102259392035075994951321656395de441535bfd82b0126"
    ),
    ("rating/en/two-turns", "1"): (
        "b8812e3f3528c525e834d6d70ab92dcfe2e3a459aa60b0a8127a7f0b2d78beec"
    ),
    ("rating/en/two-turns-reference", "1"): (
        "97441a5585e507803c8ac41532f3a40b524219df6c680892e2bcc8edb590d949"
    ),
    ("rating/de/one-turn", "1"): (
        "b2d950d209334978e8ecf32ebb31d366e5ab65b0e6055410bd4e126ed5c3605b"
    ),
    ("rating/de/one-turn-reference", "1"): (
        "f6e87bf0770bfe1ae98abbe9a00f8f13ae78f41d7da47e3041d50f0b7fa78aae"
    ),
    ("rating/de/two-turns", "1"): (
        "7b7c0288dc0a30bcb97f2ef76576ed337394bc6be294c51bdbaea9ab830e61cc"
    ),
    ("rating/de/two-turns-reference", "1"): (
        "0711089dc59f6d5b8b966b34b2965954071f40b3f1aaacec1d61bfe714a59e4a"
    ),
    ("rating/fi/one-turn", "1"): (
        "93f130d69123ea670177df2a9b894552b80a3971715e9600b6ae9010f754184d"
    ),
    ("rating/fi/one-turn-reference", "1"): (
        "c10f998c6db0b049a9b863ab8d7dd3066a1abedbc4c5013847cd76f4a89ed944"
    ),
    ("rating/fi/two-turns", "1"): (
        "30b80f459df4a781be4a82b45d848ee3879562676f98f97817071b0474190544"
    ),
    ("rating/fi/two-turns-reference", "1"): (
        "08ca400ba6c987e4f98804ba7a0134100c8ad1faa2169a6d68513d2c496d819c"
    ),
    ("rating/de/three-turns-reference", "1"): (
        "5698609f01f1e70f014c5c7fe6f7d3b2ba4b1a8254d6bff0c380d296af71f819"
    ),
    ("rating/de/three-turns", "1"): (
        "957fb79ce808430a6d2b4e081f00568435f18a1eec96fe4982cfe2d21df2260e"
    ),
    ("rating/de/two-turns-reference", "2"): (
        "f0b2faef394175d26cdc7cd31ce48aca7bace6588b644d7363c68d50b32dc0d8"
    ),
    ("rating/en/three-turns-reference", "1"): (
        "eee584d19d5880fa643ee0d534295ff45d24624cc10be89b1bdad7867f28bfe7"
    ),
    ("rating/en/three-turns", "1"): (
        "45190be76a13a7d98d22e09098526c32c13d4e11a5832972451259e124088545"
    ),
    ("rating/en/two-turns-reference", "2"): (
        "4e543105d0307a2039c25faaf295c5f2baa5c904567b165f75b68f0215e022cb"
    ),
    ("rating/fi/three-turns-reference", "1"): (
        "7ae1e3eea884c5a3e13553f24646f6b1b85468f14c3436a8c6e3c976ef93c7d7"
    ),
    ("rating/fi/three-turns", "1"): (
        "4b29fee55ca7c6204c138ea21f2df849f7d27c530745423a2a08dfc822239576"
    ),
    ("rating/fi/two-turns-reference", "2"): (
        "b4eb5c06a7fd3dc4c5aab33b5eb35d449077b21518e7ba9e36fc34c4acf4b565"
    ),
    ("semantic/en/thinking", "1"): (
        "5b6fca2452103577c9699c9579ed081cc4c1f217876cc5c7c51bed12d9257703"
    ),
    ("semantic/en", "2"): ("4fe35bab3f15d8042a8f84f00710b5236acb6fc81263304c9725019266e700b7"),
    ("pairwise/en/free", "2"): ("cef77dea5a05451f2d946b6fdff410a7c3e1f8befc88c6e7740877c5e14abe09"),
    ("pairwise/en/with-reference", "2"): (
        "02775766ba2618d5703ce40858e425473433a121d16034c06857f78783bfb32c"
    ),
    ("process/en", "2"): ("7ae50f05d7216212e651508bafbe6eaeba024a1c3df87a70851e7a64702879dd"),
    ("rating/de/one-turn-reference", "2"): (
        "ab274d478f77371f5a967c9b3b7edb34febbe368fa2701226fda1c3bdd8acaed"
    ),
    ("rating/de/one-turn", "2"): (
        "0d15d4a570c6ccc1975b7f4543d6878182ab06960e0f5207886cad83baa0a6ff"
    ),
    ("rating/de/three-turns-reference", "2"): (
        "6e6bcb2738057b1eecc8dd2b8a1d3e1f0f32cda4b1cfed65459444f28de3bfe4"
    ),
    ("rating/de/three-turns", "2"): (
        "b6d3fb80ce3e716bf4065ebebe877ce226ed59af42fb978af14d974e84ee702b"
    ),
    ("rating/de/two-turns-reference", "3"): (
        "cb26ef63fb224894a18435619c53ec1bf5f08b13f1922185dd3c0fc03beb5419"
    ),
    ("rating/de/two-turns", "2"): (
        "d1e21e5da37eb8f5229e4fbf3b8b07806c83131cb569eb8e7ddaa5dd21122829"
    ),
    ("rating/en/one-turn-reference", "2"): (
        "306e606f109186fb43cf0c018b5aaf08fd0a071bd3054a330bc817c6f9a97ea2"
    ),
    ("rating/en/one-turn", "2"): (
        "940c6e1b8be2698cf61e99a3760777c256c8f96d086dcdd0967b8268be71e3dd"
    ),
    ("rating/en/three-turns-reference", "2"): (
        "1a4fb6c07375a87ee5401526c6981f4e8576528052d2f70d089d7eff79befad4"
    ),
    ("rating/en/three-turns", "2"): (
        "ab02bcd56c5429b4ca50b50a78ed43698c40d7def9fea13e57c6ff1683599070"
    ),
    ("rating/en/two-turns-reference", "3"): (
        "3fdeebfe8ec2a0477b9106fedcb52b515e519848f8c178280161fcd0a8129701"
    ),
    ("rating/en/two-turns", "2"): (
        "3cae5ccdf8026e5e822fb39b002b717db0cd02326bda84008736bfc9b7489bb6"
    ),
    ("rating/fi/one-turn-reference", "2"): (
        "c276042ab8fc106450843c4e3da0899780f8d41b1f032c4acc956268f3e5baeb"
    ),
    ("rating/fi/one-turn", "2"): (
        "b5105b48b1582a95d2bdcd384022706c2f0984dfa762bf491a9478a669c08ed0"
    ),
    ("rating/fi/three-turns-reference", "2"): (
        "c9d4fc5dabbbe02d66f29c48465dfc74abe6d231fb04eee8b088f9adef483994"
    ),
    ("rating/fi/three-turns", "2"): (
        "1d7876c80204e4ee2ae469c1e79433e9d5e69da7a81d1065d62b79f5a03e9a65"
    ),
    ("rating/fi/two-turns-reference", "3"): (
        "edef1dabac51f6acf1997232ec993e219fd583e4c63d7ccd6e4c6124048b0572"
    ),
    ("rating/fi/two-turns", "2"): (
        "7d8eb6c9349e4a18b15037cb446c978d2afe3b25778e32d4291a810e6a191fd8"
    ),
    ("semantic/en/thinking", "2"): (
        "d0213a5bd2df68bf3b06f05d8a6e81904d46f385e02d02b603acaf1d58bd0b53"
    ),
    ("semantic/en", "3"): ("d4c90a73bd4118ebcfac6d40ef3f4f8dbb2ee2c85bbad031893e6a894d0e7bdf"),
    ("pairwise/en/free", "3"): ("c239571e06f16f744614ebfbaae11b0282058c778a1dad29e3fc48b45894eb3f"),
    ("pairwise/en/with-reference", "3"): (
        "5c092430c63ac7e9186d532f3ce8f787f7ff9a044e5657a1080c54d2c905028c"
    ),
    ("process/en", "3"): ("3493f9941b743d83b7c077267f029da3ddc916d8b9f00789ed2f5ad5c918e673"),
    ("rating/de/one-turn-reference", "3"): (
        "1f8b8f509425b9eab25530ffd343abe4374e410f6ba19855b50a17648d0afe33"
    ),
    ("rating/de/one-turn", "3"): (
        "9d39122ef3fa9c9617777635855339787bac7e11e8c90dc8dc48faf5a7473b91"
    ),
    ("rating/de/three-turns-reference", "3"): (
        "4002f21b9dcc30dd349331e280603cc52cac3becd5276ce6d883f871b23ce84d"
    ),
    ("rating/de/three-turns", "3"): (
        "463900d8b7c1a1cfbecf21a910af95460d1e1a7a861b831c83c48d31ef454f9f"
    ),
    ("rating/de/two-turns-reference", "4"): (
        "a4254b04c303f22d0a714d43ca1e2acd866dc103983ae9704c93985b6c1306af"
    ),
    ("rating/de/two-turns", "3"): (
        "99cc567f5987ac191f1c915203be9dc32dbc2da224d1bb367020bee958f998c9"
    ),
    ("rating/en/one-turn-reference", "3"): (
        "4001695ffc294fb55b6912cda31c8880682296f8c4025a95fe8e43abfd105413"
    ),
    ("rating/en/one-turn", "3"): (
        "71539ff38f48a152d934a02a84e084753666b980d26031c29310bc2371c10bad"
    ),
    ("rating/en/three-turns-reference", "3"): (
        "bb9398a523c2d802dd17941f96a6f74baf90e6f528c83e9d2a44380f4084d16e"
    ),
    ("rating/en/three-turns", "3"): (
        "3cd1a1f9dd9446b699f9fb3128b93913b6fb69805f69b27061a4fc065cc5b1d3"
    ),
    ("rating/en/two-turns-reference", "4"): (
        "b762617cd100f15a468d348a00d907b69246109712df8ccd2f15c1a24475f2c8"
    ),
    ("rating/en/two-turns", "3"): (
        "9d2a91f00598d82928bf8a8c164990740ecefbbaa9035df5575e9d71a5b7b376"
    ),
    ("rating/fi/one-turn-reference", "3"): (
        "fe95e1945e10ff94e55e23c26ce4ea5bd3aa350695d7e5e339b4f62a8fbee376"
    ),
    ("rating/fi/one-turn", "3"): (
        "ae231211eac9a58dca3a9408612a6895cc0ae1f6dd6455920137383d92c6af5d"
    ),
    ("rating/fi/three-turns-reference", "3"): (
        "0940b30d233a727ae372029540b37d04734bed225ba022c54e4911589a7cef81"
    ),
    ("rating/fi/three-turns", "3"): (
        "05e617693fc91ec12683a0da655df5a0e5aa1b77d963a91fd1bd0a12db4f1e31"
    ),
    ("rating/fi/two-turns-reference", "4"): (
        "cf10b09007716045d3438c435cf8dc493236520d4955fdfe44876ceee58c9d1e"
    ),
    ("rating/fi/two-turns", "3"): (
        "39059ef680b476b87ace010873704bad6a7b7161e47a7df4f64d7039c959b3fd"
    ),
    ("semantic/en/thinking", "3"): (
        "5dcc2e714919a2ca6ce9f7d1f08e51095eea5d9217122107803f297efae315ff"
    ),
    ("semantic/en", "4"): ("ec0b9714142050b7af40d54830ac7c6cd227d63ef7ba43b5f65c36890edd106b"),
}
